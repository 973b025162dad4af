/**
 * A stand-in in a child process: `node main.ts <port> <file> <bytes of an append>`. Sends `{port}` to its parent
 * process and receives orders from it.
 */
import type { AppendFault } from './faults.ts';
import { startStandIn } from './server.ts';

export type Order =
  | { readonly killStreams: true }
  | { readonly appends: readonly AppendFault[] }
  /** Milliseconds by which every append is delayed. */
  | { readonly delay: number };

const [port, file = '', maxAppendBytes] = process.argv.slice(2);
const standIn = await startStandIn({
  port: Number(port),
  ...(file === '' ? {} : { file }),
  maxAppendBytes: Number(maxAppendBytes),
});
process.on('message', (order: Order) => {
  if ('killStreams' in order) standIn.killStreams();
  else if ('delay' in order) standIn.faults.delay = order.delay;
  else standIn.faults.appends.push(...order.appends);
});
process.on('disconnect', () => process.exit());
process.send?.({ port: standIn.port });
