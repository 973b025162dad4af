import { type HookProgress, type Progress, startingAt } from '#domain/hooks/progress.ts';
import type { NodeFile, Row } from './node-file.ts';

/** Key under which the file records where it begins. */
const beginning = 0;

/** Keeps the progress of hooks. After a power failure something may be sent twice. Damaged rows count as missing. */
export function openHookProgress(file: NodeFile): HookProgress {
  const listeners = new Set<(hook: number) => void>();
  let known: Map<number, Progress> | undefined;
  const all = () => {
    known ??= new Map(file.rows('hooks').map((row) => [Number(row['hook']), progressIn(row)]));
    return known;
  };
  const of = (hook: number) => all().get(hook) ?? null;
  const put = (hook: number, progress: Progress) => {
    const { position, ...state } = progress;
    file.put('hooks', hook, position, JSON.stringify(state));
    all().set(hook, progress);
  };
  return {
    of,
    put,
    forget(hook) {
      file.remove('hooks', 'WHERE hook = ?', hook);
      all().delete(hook);
    },
    move(hook, position) {
      put(hook, startingAt(position, (of(hook)?.round ?? 0) + 1));
      for (const listener of listeners) listener(hook);
    },
    since(head) {
      const began = of(beginning);
      // The file belongs to another log, or to this one before it was restored.
      const isForeign = [...all().values()].some(({ position }) => position > head);
      if (isForeign) {
        file.remove('hooks', '');
        all().clear();
      }
      if (isForeign || began === null) put(beginning, startingAt(head));
      return of(beginning)?.position ?? head;
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function progressIn({ position, state }: Row): Progress {
  return { position: Number(position), ...(JSON.parse(String(state)) as Omit<Progress, 'position'>) };
}
