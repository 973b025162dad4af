import type { HookFilter } from '#domain/plugins/hooks/area.ts';
import type { Fact } from '../feed/facts.ts';
import type { Change } from '../feed/visible.ts';

export function wantedByHook({ resources, changes, statuses }: HookFilter): (change: Change, fact: Fact) => boolean {
  const fits = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);
  return ({ resource, what }, fact) => {
    if (!fits(resources, resource) || !fits(changes, what)) return false;
    if (statuses.length === 0 || fact.about !== 'entry') return true;
    return [fact.before, fact.after].some((standing) => standing !== null && statuses.includes(standing.status));
  };
}
