/** Sends a message to the process that started this one, if that is still there. */
export function tellParent(message: object): void {
  // Without a callback the loss of the channel is an event that nobody hears, which ends the process.
  process.send?.(message, undefined, undefined, () => undefined);
}
