import { setTimeout as wait } from 'node:timers/promises';
import { codec } from '#catalogue/events.ts';
import { hooksIn } from '#commands/hooks.ts';
import { type Hook, hooks } from '#domain/hooks/area.ts';
import type { HookEvent } from '#domain/hooks/events.ts';
import { startingAt } from '#domain/hooks/progress.ts';
import { detach, guard } from '#process/guard.ts';
import { createJournal } from '../feed/journal.ts';
import { createTurnQueue } from '../feed/reading.ts';
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
  const { source, progress, onFault } = options;
  const running = new RunningHooks(options);
  const look = () => guard(() => running.look(), onFault);
  look();
  const stops = [source.changed(look), progress.onMoved((id) => guard(() => running.again(id), onFault))];
  return () => {
    for (const stop of stops) stop();
    running.end();
  };
}

class RunningHooks {
  readonly #options: HooksOptions;
  readonly #delivery: Delivery;
  readonly #running = new Map<number, { readonly hook: Hook; readonly ended: AbortController }>();
  readonly #head: number;
  #since: number | undefined;
  #seen = Number.NaN;

  constructor(options: HooksOptions) {
    this.#options = options;
    const { source, sleep = sleepUnref } = options;
    const site = siteIn(source.read);
    this.#delivery = { ...options, site, journal: createJournal(source), turn: createTurnQueue(), sleep };
    this.#head = source.model().position;
  }

  /** Begins with new and changed hooks, and ends with those that are gone. */
  look(): void {
    const { version, progress, source } = this.#options;
    const now = version();
    if (now === this.#seen) return;
    this.#since ??= progress.since(this.#head);
    const all = hooksIn(source.model());
    for (const id of [...this.#running.keys()].filter((known) => all.every((hook) => hook.id !== known))) {
      this.#endOne(id);
      progress.forget(id);
    }
    for (const hook of all) {
      const before = this.#running.get(hook.id)?.hook;
      if (JSON.stringify(before) === JSON.stringify(hook)) continue;
      const kept = progress.of(hook.id);
      // A pause is that of the receiver which failed.
      const isOther = before !== undefined && before.address !== hook.address;
      if ((hook.stopped !== null || isOther) && kept?.failingSince)
        progress.put(hook.id, { ...kept, failingSince: null, attempts: 0, nextAt: 0 });
      this.#begin(hook);
    }
    // Set last, so that everything is checked again after a failure.
    this.#seen = now;
  }

  again(id: number): void {
    const hook = this.#options.source.model().plugin(hooks, String(id)).hook;
    if (hook !== null) this.#begin(hook);
  }

  end(): void {
    for (const { ended } of this.#running.values()) ended.abort();
  }

  #begin(hook: Hook): void {
    this.#endOne(hook.id);
    const ended = new AbortController();
    this.#running.set(hook.id, { hook, ended });
    if (isSent(hook)) detach(() => this.#run(hook, ended.signal), this.#options.onFault);
  }

  #endOne(id: number): void {
    this.#running.get(id)?.ended.abort();
    this.#running.delete(id);
  }

  async #run(hook: Hook, gone: AbortSignal): Promise<void> {
    while (!gone.aborted) {
      try {
        return this.#isPlaced(hook.id) ? await deliver(this.#delivery, hook, gone) : undefined;
      } catch (error) {
        this.#options.onFault(error);
        await this.#delivery.sleep(afterFault, gone);
      }
    }
  }

  /** Whether it is known where a hook continues; one that was added on this node begins there. */
  #isPlaced(id: number): boolean {
    const { progress, source, witness } = this.#options;
    if (progress.of(id) !== null) return true;
    const added = addedAt(id, source.read);
    const isKnown = this.#since !== undefined && added > this.#since;
    if (isKnown) progress.put(id, startingAt(added));
    else witness.lost(id);
    return isKnown;
  }
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
