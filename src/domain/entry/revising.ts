import type { EntryEvent } from './events.ts';
import type { PlannedEntry } from './plan.ts';
import type { Entry } from './state.ts';

const textNames = ['title', 'content', 'excerpt', 'footnotes'] as const;

/**
 * What a save does to the texts, and whether it leaves a revision (interface behaviour, section 19): the first
 * save after the creation always does, a later one when a text differs in more than white space.
 */
export function revisionEvents(before: Entry, after: PlannedEntry, nextId: number): EntryEvent[] {
  const { title, content, excerpt, footnotes, modified, modifiedGmt } = after;
  const data = { title, content, excerpt, footnotes, modified, modifiedGmt };
  const changed = textNames.some((name) => before[name] !== after[name]);
  const leavesRevision = before.revisions === 0 || textNames.some((name) => !alike(before[name], after[name]));
  if (changed) return [{ type: 'EntryRevised', data: { revision: leavesRevision ? nextId : null, ...data } }];
  return leavesRevision ? [{ type: 'EntryRevisionKept', data: { revision: nextId, ...data } }] : [];
}

/** Whether two texts differ in nothing but white space, as far as that is ignored. */
function alike(a: string, b: string): boolean {
  return a === b || normalise(a) === normalise(b);
}

function normalise(text: string): string {
  return text
    .trim()
    .replaceAll('\r', '\n')
    .replace(/\n+/g, '\n')
    .replace(/[ \t]+/g, ' ');
}
