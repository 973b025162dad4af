import { readFileSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { ClockGuard, type ClockLeapt, type Moment } from '#commands/clock-guard.ts';
import type { Readiness } from './readiness.ts';

export interface ClockOptions {
  readonly dataDir: string;
  readonly tolerance: number;
  readonly readiness: Readiness;
  readonly onFault: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds by a clock that is never set. Default: since the machine was started. */
  readonly steady?: (() => number) | undefined;
  /** Compares the clock with that of a server: milliseconds by which it is ahead; null if that is not known there. */
  readonly compare?: ((clock: () => number) => Promise<number | null>) | undefined;
}

export interface NodeClock {
  readonly guard: ClockGuard;
  /** Milliseconds by a clock that is never set. */
  readonly steady: () => number;
  compare(): Promise<void>;
  /** Does both now and then; answers how to stop it. */
  start(): () => void;
  save(): void;
}

/**
 * Guards the clock of a node. Across starts the steady clock goes on as long as the machine runs; how long a machine was
 * off nobody can know.
 */
export function openClock(options: ClockOptions): NodeClock {
  const { dataDir, tolerance, readiness, onFault, clock, steady, compare } = options;
  let isCompared = compare === undefined;
  const path = join(dataDir, 'clock.json');
  const boot = bootId();
  const now = (): Moment => ({ wall: clock(), steady: steady === undefined ? sinceBoot() : steady() });
  const guard = new ClockGuard({
    now,
    tolerance,
    since: steady === undefined ? readKept(path, boot) : null,
    onChange(leapt: ClockLeapt | null) {
      if (leapt === null) {
        readiness.release('clock_leapt');
        return;
      }
      readiness.hold(
        'clock_leapt',
        `${leapt.message}: no writes are taken until it is right or \`clock accept\` is given`,
      );
      onFault(leapt);
    },
  });
  const save = () => {
    // Another clock than the machine's says nothing about the next start.
    if (boot === null || guard.leapt || steady !== undefined) return;
    try {
      writeFileSync(path, JSON.stringify({ boot, ...now() }));
    } catch {
      // The next start knows where the clock stood earlier.
    }
  };
  const compareNow = async () => {
    try {
      const ahead = await compare?.(clock);
      if (ahead !== null && ahead !== undefined) guard.compared(ahead);
      isCompared = true;
    } catch {
      // Tried again soon: a server that is away is reported by those who need it.
      isCompared = compare === undefined;
    }
  };
  return {
    guard,
    steady: () => now().steady,
    save,
    compare: compareNow,
    start() {
      save();
      const timers = [
        setInterval(save, everyMinute),
        setInterval(() => void compareNow(), betweenComparisons),
        setInterval(() => {
          if (!isCompared) void compareNow();
        }, everySecond),
      ];
      for (const timer of timers) timer.unref();
      return () => timers.forEach(clearInterval);
    },
  };
}

const everySecond = 1000;
const everyMinute = 60_000;
/** Each one is an event in the server; leaps in between are noticed here. Milliseconds. */
const betweenComparisons = 600_000;

function sinceBoot(): number {
  return Math.round(uptime() * 1000);
}

/** Tells one start of the machine from another; null where the system does not say. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

function readKept(path: string, boot: string | null): Moment | null {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const { wall, steady } = kept;
    if (kept['boot'] !== boot || typeof wall !== 'number' || typeof steady !== 'number') return null;
    return { wall, steady };
  } catch {
    return null;
  }
}
