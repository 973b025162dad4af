/** Sends a message to the parent process, if it still exists. */
export function tellParent(message: object): void {
  // Without a callback a lost channel emits an unhandled error event, which ends the process.
  process.send?.(message, undefined, undefined, () => undefined);
}
