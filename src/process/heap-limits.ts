import { getHeapStatistics, setFlagsFromString } from 'node:v8';

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

/**
 * Limits heap growth for a server, for as long as it runs. Each collection traverses the memory in use: if that is small, a fifth of it
 * fills up fast, and a small site with writes would spend most of its time on collections.
 */
export function limitServerHeap(): void {
  limitHeapGrowth();
  setFlagsFromString(`--initial-old-space-size=${initialSize}`);
  const adapt = () => {
    const used = getHeapStatistics().used_heap_size;
    const percent = Math.round((100 * allowance(used)) / used);
    setFlagsFromString(`--heap-growing-percent=${Math.min(100, Math.max(20, percent))}`);
  };
  setInterval(adapt, pause).unref();
}
