import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ignore, regularly } from './guard.ts';

/**
 * Collects garbage early in all threads: lets a heap grow by a fifth rather than double. Work on a long log creates gigabytes of garbage,
 * and memory use would otherwise depend on the log's length.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

const MiB = 1024 * 1024;
/** Bytes of garbage that a server may hold: more if it uses less memory, but at least a fifth of the memory in use. */
const allowance = (used: number) => Math.min(64 * MiB, Math.max(24 * MiB, 192 * MiB - used));
/** Milliseconds between two checks of the memory in use. */
const pause = 5000;
/** MiB that a new thread may use before its first full collection. Those for long texts would otherwise collect dozens of times on the way there. */
const initialSize = 256;

/** Bytes of garbage, and of memory outside the heap that it may hold, for which a server that has nothing to do collects it. */
const worthwhile = 16 * MiB;
/** Share of the time in which a server that has nothing to do is at work. */
const idle = 0.02;

/**
 * Limits heap growth for a server, for as long as it runs. Each collection traverses the memory in use: if that is small, a fifth of it
 * fills up fast, and a small site with writes would spend most of its time on collections. Without anything to do nothing is collected,
 * and what long texts took would be kept: so it is collected then.
 */
export function limitServerHeap(): void {
  // While it starts, a heap that grows slowly would be collected a dozen times.
  setFlagsFromString('--heap-growing-percent=100');
  setFlagsFromString(`--initial-old-space-size=${initialSize}`);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = usedMemory();
  let before = performance.eventLoopUtilization();
  const adapt = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization < idle && usedMemory() - least > worthwhile) {
      collect();
      least = usedMemory();
    }
    least = Math.min(least, usedMemory());
    const used = getHeapStatistics().used_heap_size;
    const percent = Math.round((100 * allowance(used)) / used);
    setFlagsFromString(`--heap-growing-percent=${Math.min(100, Math.max(20, percent))}`);
  };
  regularly(adapt, { pause }, ignore);
}

/** Bytes of garbage that a thread beside the main one may hold. */
const heldBeside = 24 * MiB;
/** Milliseconds between two checks of it. */
const pauseBeside = 1000;

/** The same for a thread of a server that keeps data in memory: now, and whenever there is much garbage. `most`: in bytes. */
export function limitThreadHeap(most = heldBeside): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  let least = usedMemory();
  const check = () => {
    if (usedMemory() - least > most) {
      collect();
      least = usedMemory();
    }
    least = Math.min(least, usedMemory());
  };
  regularly(check, { pause: pauseBeside }, ignore);
}

function usedMemory(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
