import { stageIn } from '#commands/plugins.ts';
import { extensions, shop } from '#domain/extensions/area.ts';
import { activatePlugin } from '#domain/extensions/decide.ts';
import { admin } from './node.ts';
import type { Site } from './site.ts';

/** Switches the shop on, so that the site has products. */
export async function openShop({ node: { store } }: Site): Promise<void> {
  await store.submit(admin, (session) =>
    stageIn(session, extensions, activatePlugin(session.plugin(extensions), shop)),
  );
}
