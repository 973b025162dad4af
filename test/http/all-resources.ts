import { afterAll } from 'vitest';
import { openShop } from '../support/shop.ts';
import { type Site, startSite } from '../support/site.ts';

/** A site that has all resources of a deployment. */
export async function siteWithAll(deployment: 'A' | 'B'): Promise<Site> {
  const open = await startSite({ env: { DEPLOYMENT: deployment, MENU_LOCATIONS: 'top=Top' } });
  await openShop(open);
  return open;
}

/** The site that all tests of a file share. */
export function sharedSite(): () => Promise<Site> {
  let site: Promise<Site> | undefined;
  afterAll(async () => (await site)?.close());
  return () => {
    site ??= siteWithAll('A');
    return site;
  };
}
