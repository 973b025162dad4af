import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { SlugOwner } from './model.ts';

/** Words at the top of the site that are the server's, besides the root of the interface. */
const claimed: ReadonlySet<string> = new Set(['uploads', 'cms-audit']);

/** Words at the top of the site that are the server's, so that no item may be called like them. */
export function claimedWords({ root }: InterfaceNames): readonly string[] {
  return [...claimed, root.split('/', 1)[0] ?? ''];
}

export function isClaimed(word: string, { root }: InterfaceNames): boolean {
  return claimed.has(word) || word === root.split('/', 1)[0];
}

/** Whether the address of an owner is at the top of the site: those of posts, and of pages below none. */
export function livesAtTop({ kind, parent }: SlugOwner): boolean {
  return kind === 'post' || (kind === 'page' && parent === 0);
}
