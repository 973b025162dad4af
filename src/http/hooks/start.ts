import { setTimeout as wait } from 'node:timers/promises';
import { codec } from '#catalogue/events.ts';
import { hooksIn } from '#commands/hooks.ts';
import { type Hook, hooks } from '#domain/plugins/hooks/area.ts';
import type { HookEvent } from '#domain/plugins/hooks/events.ts';
import { startingAt } from '#domain/plugins/hooks/progress.ts';
import { detach, guard } from '#process/guard.ts';
import { createJournal } from '../feed/journal.ts';
import { createTurnQueue } from '../feed/turn-queue.ts';
import { type Delivery, deliver } from './deliver.ts';

export interface HooksOptions
  extends Omit<Delivery, 'site' | 'journal' | 'turn' | 'sleep'>,
    Partial<Pick<Delivery, 'sleep'>> {
  readonly version: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Milliseconds to wait after a fault of this server. */
const afterFault = 10_000;

/** Sends changes to all hooks, each at its own pace, until the returned function is called. */
export function startHooks(options: HooksOptions): () => void {
  const { source, progress, version, onFault, witness, sleep = sleepUnref } = options;
  const site = siteIn(source.read);
  const delivery: Delivery = { ...options, site, journal: createJournal(source), turn: createTurnQueue(), sleep };
  const running = new Map<number, { readonly text: string; readonly ended: AbortController }>();
  const head = source.model().position;
  let since: number | undefined;
  let seen = Number.NaN;

  const end = (id: number) => {
    running.get(id)?.ended.abort();
    running.delete(id);
  };
  const begin = (hook: Hook) => {
    end(hook.id);
    const ended = new AbortController();
    running.set(hook.id, { text: JSON.stringify(hook), ended });
    if (isSent(hook)) detach(() => run(hook, ended.signal), onFault);
  };
  const run = async (hook: Hook, gone: AbortSignal) => {
    while (!gone.aborted) {
      try {
        return isPlaced(hook.id) ? await deliver(delivery, hook, gone) : undefined;
      } catch (error) {
        onFault(error);
        await sleep(afterFault, gone);
      }
    }
  };
  /** Whether it is known where a hook continues; one that was added on this node begins there. */
  const isPlaced = (id: number): boolean => {
    if (progress.of(id) !== null) return true;
    const added = addedAt(id, source.read);
    const isKnown = since !== undefined && added > since;
    if (isKnown) progress.put(id, startingAt(added));
    else witness.lost(id);
    return isKnown;
  };
  const look = () => {
    const now = version();
    if (now === seen) return;
    since ??= progress.since(head);
    const all = hooksIn(source.model());
    for (const id of [...running.keys()].filter((known) => all.every((hook) => hook.id !== known))) {
      end(id);
      progress.forget(id);
    }
    for (const hook of all) {
      if (running.get(hook.id)?.text === JSON.stringify(hook)) continue;
      const kept = progress.of(hook.id);
      if (hook.stopped !== null && kept?.failingSince)
        progress.put(hook.id, { ...kept, failingSince: null, attempts: 0, nextAt: 0 });
      begin(hook);
    }
    // Set last, so that everything is checked again after a failure.
    seen = now;
  };
  const again = (id: number) => {
    const hook = source.model().plugin(hooks, String(id)).hook;
    if (hook !== null) begin(hook);
  };
  guard(look, onFault);
  const stops = [source.changed(() => guard(look, onFault)), progress.onMoved((id) => guard(() => again(id), onFault))];
  return () => {
    for (const stop of stops) stop();
    for (const { ended } of running.values()) ended.abort();
  };
}

export function isSent({ stopped, address }: Hook): boolean {
  return stopped === null && address !== '';
}

function addedAt(id: number, read: Delivery['source']['read']): number {
  for (const stored of read({ stream: hooks.stream })) {
    if (stored.type !== ('HookAdded' satisfies HookEvent['type'])) continue;
    if ((codec.decode(stored) as HookEvent).data.id === id) return stored.position;
  }
  return 0;
}

function siteIn(read: Delivery['source']['read']): string {
  const [first] = read({ limit: 1 });
  return first?.id.replaceAll('-', '').slice(0, 12) ?? 'new';
}

async function sleepUnref(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
