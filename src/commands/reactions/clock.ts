import { clockStream } from '#domain/clock/events.ts';
import type { AnyReaction } from './types.ts';

/** The first commit after a clock was ahead records the clock's time: nothing else in the log shows it reliably. */
export const noteClock: AnyReaction = (session, { stream }) => {
  const { clock } = session;
  if (stream === clockStream || clock === session.at || session.hasNow(clockStream, 'ClockFoundBehind')) return null;
  return () => session.stage(clockStream, [{ type: 'ClockFoundBehind', data: { clock } }]);
};
