import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ClockGuard, type ClockLeapt, type ClockOffset, type Moment } from '#commands/clock-guard.ts';
import { regularly } from '#process/guard.ts';
import type { Reporter } from '#process/reporter.ts';
import type { Config } from '../config.ts';
import { readChecked, writeChecked } from './checked-file.ts';
import type { Readiness } from './readiness.ts';

export interface ClockOptions {
  readonly dataDir: string;
  readonly tolerance: number;
  readonly readiness: Readiness;
  readonly reporter: Reporter;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Monotonic clock, in milliseconds. Default: time since boot. */
  readonly monotonic?: (() => number) | undefined;
  /** Returns by how many milliseconds the clock is ahead of a server's; null if unknown. */
  readonly compare?: ((clock: () => number) => Promise<number | null>) | undefined;
}

export interface NodeClock {
  readonly guard: ClockGuard;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  compare(): Promise<void>;
  /** Compares and saves regularly. Returns a function that stops it. */
  start(): () => void;
  save(): void;
}

/**
 * Guards the clock of a node. The monotonic clock continues across restarts while the machine runs; how long a machine was off is
 * unknown.
 */
export function openClock(options: ClockOptions): NodeClock {
  return new GuardedClock(options);
}

class GuardedClock implements NodeClock {
  readonly guard: ClockGuard;
  readonly monotonic = (): number => this.#now().steady;
  readonly #options: ClockOptions;
  readonly #path: string;
  readonly #boot = bootId();
  readonly #sinceBoot = createBootClock();
  #isCompared: boolean;

  constructor(options: ClockOptions) {
    this.#options = options;
    const { dataDir, tolerance, monotonic, compare } = options;
    this.#isCompared = compare === undefined;
    this.#path = join(dataDir, 'clock.json');
    this.guard = new ClockGuard({
      now: () => this.#now(),
      tolerance,
      since: monotonic === undefined ? readOffset(this.#path, this.#boot) : null,
      onChange: (leapt) => this.#changed(leapt),
    });
  }

  save(): void {
    // A clock given by the caller is meaningless at the next start.
    if (this.#boot === null || this.guard.leapt || this.#options.monotonic !== undefined) return;
    try {
      const steady = this.monotonic();
      writeChecked(this.#path, { boot: this.#boot, wall: steady + this.guard.offset, steady }, { isSynced: false });
    } catch {
      // The next start uses an earlier reading.
    }
  }

  async compare(): Promise<void> {
    const { compare, clock } = this.#options;
    try {
      const ahead = await compare?.(clock);
      if (ahead !== null && ahead !== undefined) this.guard.compared(ahead);
      this.#isCompared = true;
    } catch {
      // Retried soon. An unreachable server is reported by those that need it.
      this.#isCompared = compare === undefined;
    }
  }

  start(): () => void {
    this.save();
    const look = async () => {
      await this.compare();
      this.save();
    };
    const pause = () => (this.#isCompared ? betweenLooks : afterFailure);
    return regularly(look, { pause }, this.#options.reporter.fault);
  }

  #now(): Moment {
    const { clock, monotonic } = this.#options;
    const wall = clock();
    return { wall, steady: monotonic === undefined ? this.#sinceBoot(wall) : monotonic() };
  }

  #changed(leapt: ClockLeapt | null): void {
    const { readiness, reporter } = this.#options;
    if (leapt === null) {
      readiness.release('clock_leapt');
      return;
    }
    readiness.hold(
      'clock_leapt',
      `${leapt.message}: no writes are taken until it is right or \`clock accept\` is given`,
    );
    reporter.fault(leapt);
  }
}

/** The time for tools beside a server: by the wall clock, or, if that has leapt, by the server's offset. */
export function guardedTime({ dataDir, clockTolerance }: Pick<Config, 'dataDir' | 'clockTolerance'>): Date {
  const wall = Date.now();
  const offset = readOffset(join(dataDir, 'clock.json'), bootId());
  const ahead = offset === null ? 0 : wall - Math.round(uptime() * 1000) - offset;
  return new Date(wall - (ahead > clockTolerance ? ahead : 0));
}

/** Milliseconds between two comparisons, each of which is an event on the server, and after one that failed. Leaps in between are noticed here. */
const betweenLooks = 600_000;
const afterFailure = 1000;

/** Milliseconds between two readings of the time since boot. */
const betweenReadings = 1000;
/** Milliseconds by which two clocks may differ over that time. */
const apart = 50;

/**
 * Time since boot, which also passes while the machine sleeps. Reading it takes as long as the rest of a small commit, so the process's own
 * clock continues it for a moment; that one stands still in sleep, from which the wall clock returns with a leap.
 */
function createBootClock(): (wall: number) => number {
  let last = { boot: 0, own: Number.NEGATIVE_INFINITY, wall: 0 };
  return (wall) => {
    const own = performance.now();
    const passed = own - last.own;
    if (passed >= betweenReadings || Math.abs(wall - last.wall - passed) > apart)
      last = { boot: uptime() * 1000, own, wall };
    return Math.round(last.boot + own - last.own);
  };
}

/** Identifies one boot of the machine; null where the system does not provide it. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

const reading = z.object({ boot: z.string(), wall: z.number(), steady: z.number() });

function readOffset(path: string, boot: string | null): ClockOffset | null {
  const { content } = readChecked(path, reading);
  return content === null || content.boot !== boot ? null : content.wall - content.steady;
}
