import type { Hook, HookFilter } from '#domain/hooks/area.ts';
import type { Progress } from '#domain/hooks/progress.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Fact } from '../feed/facts.ts';
import type { Journal } from '../feed/journal.ts';
import type { Source } from '../feed/source.ts';
import type { TurnQueue } from '../feed/turn-queue.ts';
import { type Change, visibleIn } from '../feed/visible.ts';
import { type ToldChange, type ToldCommit, withMessages } from './contact.ts';

export interface MessageGathering {
  readonly source: Source;
  readonly journal: Journal;
  readonly turn: TurnQueue;
}

export interface ChangeBatch {
  readonly commits: readonly ToldCommit[];
  readonly to: number;
  readonly isAll: boolean;
}

/** A message ends with the commit that brings it to this many changes, about 100 bytes each. */
export const maxChanges = 500;
/** Pages of the log that are searched in vain before progress is stored. */
const maxPages = 50;

/** Collects the next message; one whose delivery had begun covers the same commits again (`upTo`). */
export async function gather(
  { source, journal, turn }: MessageGathering,
  { hook, viewer }: { readonly hook: Hook; readonly viewer: Viewer },
  { position, upTo }: Pick<Progress, 'position' | 'upTo'>,
): Promise<ChangeBatch> {
  const isWanted = wantedByHook(hook);
  const commits: ToldCommit[] = [];
  const end = upTo ?? Number.POSITIVE_INFINITY;
  let changes = 0;
  let to = position;
  for (let pages = 0; pages < maxPages && to < end && changes < maxChanges; pages += 1) {
    await turn();
    const page = journal.after(to);
    if (page.commits.length === 0) break;
    for (const commit of page.commits) {
      if (to >= end || changes >= maxChanges) break;
      const visible = visibleIn(commit, { viewer, model: source.model() }, isWanted);
      if (visible !== null) {
        const told = withMessages(visible, hook, source.model());
        commits.push(told);
        changes += told.changes.reduce((sum, change) => sum + weightOf(change), 0);
      }
      to = commit.position;
    }
  }
  return { commits, to, isAll: to >= source.model().position };
}

/** A message from a visitor is as long as many changes. */
function weightOf({ message }: ToldChange): number {
  return message === undefined ? 1 : 25;
}

function wantedByHook({ resources, changes, statuses }: HookFilter): (change: Change, fact: Fact) => boolean {
  const fits = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);
  return ({ resource, what }, fact) => {
    if (!fits(resources, resource) || !fits(changes, what)) return false;
    if (statuses.length === 0 || fact.about !== 'entry') return true;
    return [fact.before, fact.after].some((standing) => standing !== null && statuses.includes(standing.status));
  };
}
