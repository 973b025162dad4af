/**
 * Loaded into a server before its own code (`--import`): measures the turns of its main thread, each from one look at what has arrived
 * to the next. Processor time is comparable between a busy machine and an idle one. A message starts and ends measuring; the answer
 * to the latter is the longest turn, milliseconds.
 */
let longest: number | null = null;
let last = process.threadCpuUsage();

process.on('message', (message) => {
  if (message === 'turns begin') begin();
  if (message === 'turns end') end();
});
// Nobody waits for the next message at the end.
process.channel?.unref();

function begin(): void {
  longest = 0;
  last = process.threadCpuUsage();
  setImmediate(look);
  process.send?.('begun');
}

function look(): void {
  if (longest === null) return;
  const now = process.threadCpuUsage();
  longest = Math.max(longest, (now.user + now.system - last.user - last.system) / 1000);
  last = now;
  setImmediate(look);
}

function end(): void {
  process.send?.(longest ?? 0);
  longest = null;
}
