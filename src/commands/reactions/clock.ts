import { clockStream } from '#domain/clock/events.ts';
import type { Reaction } from './types.ts';

/** The first commit after a clock that was ahead records what the clock says: nothing else in the log shows it for certain. */
export const noteClock: Reaction = (session, { stream }) => {
  const { clock } = session;
  if (stream === clockStream || clock === session.at || session.hasNow(clockStream, 'ClockFoundBehind')) return null;
  return () => session.stage(clockStream, [{ type: 'ClockFoundBehind', data: { clock } }]);
};
