import { stageIn } from '#commands/plugins.ts';
import { extensions, shop } from '#domain/plugins/extensions/area.ts';
import { activatePlugin } from '#domain/plugins/extensions/decide.ts';
import { admin } from './node.ts';
import type { Site } from './site.ts';

/** Switches the shop on, so that the site has products. */
export async function openShop({ node: { store } }: Site): Promise<void> {
  const installed = [{ slug: shop, name: 'Shop', active: false }];
  await store.submit(admin, (session) => {
    const events = activatePlugin(shop, installed);
    if (typeof events === 'string') throw new Error(events);
    stageIn(session, extensions, events);
  });
}
