import type { Session, WriteContext } from '#commands/session.ts';
import { limitWrites } from '#commands/write-limit.ts';
import type { Written } from '#commands/writer.ts';
import { isAnnounced, LogUnavailable } from '#eventstore/port.ts';
import type { Store } from '../types.ts';
import { definePart } from './parts.ts';

/** The way to the writer: writes wait while projections are replaced, and are refused while they are damaged. */
export const writes = definePart({
  name: 'writes',
  needs: ['config', 'log', 'mending', 'faults', 'projections'],
  open({ config, log: { shared }, mending, faults, projections }) {
    const submit = async <T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>> => {
      // Refused at once, instead of after an earlier append without a response has timed out.
      if (shared?.replica.lost === true)
        throw new LogUnavailable('The event store cannot be reached', { isAnnounced: true });
      if (mending.isNeeded) throw new LogUnavailable('The projections are damaged and are being made again');
      if (projections.replacing !== null) {
        await projections.replacing;
        return submit(context, work);
      }
      try {
        return await projections.core.writer.submit(context, work);
      } catch (error) {
        faults.met(error);
        faults.failedWrite(error);
        throw error;
      }
    };
    return limitWrites(
      countRefused(submit, () => shared?.noteRefused()),
      config.writeQueue,
    );
  },
});

/** Wraps `submit`, and calls back for each write refused by an outage that the log has already reported. */
function countRefused(submit: Store['submit'], onRefused: () => void): Store['submit'] {
  return async (context, work) => {
    try {
      return await submit(context, work);
    } catch (error) {
      if (isAnnounced(error)) onRefused();
      throw error;
    }
  };
}
