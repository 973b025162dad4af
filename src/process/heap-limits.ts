import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * Has garbage collected before it adds up, in all threads: a heap grows by a fifth over what is in use, not by as much again.
 * Work on a long log leaves garbage by the gigabyte, and without this its length shows in the memory.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

const MiB = 1024 * 1024;
/** Bytes of garbage that a server may hold, the more the less it has in use; in any case a fifth of what that is. */
const allowance = (used: number) => Math.min(64 * MiB, Math.max(24 * MiB, 192 * MiB - used));
/** Milliseconds between two looks at how much is in use. */
const pause = 5000;

/**
 * The same for a server, for as long as it runs. What is in use has to be gone through each time: where that is little, a fifth
 * of it is soon there again, and a small site that is written to would do hardly anything else.
 */
export function limitServerHeap(): void {
  limitHeapGrowth();
  const adapt = () => {
    const used = getHeapStatistics().used_heap_size;
    const percent = Math.round((100 * allowance(used)) / used);
    setFlagsFromString(`--heap-growing-percent=${Math.min(100, Math.max(20, percent))}`);
  };
  setInterval(adapt, pause).unref();
}
