import { bySystem } from '#commands/session.ts';
import { DamagedRow, isDamage, ProjectionsDamaged } from '#projections/kernel/sums.ts';
import { Integrity } from '../integrity.ts';
import { createMending } from '../rebuild/mending.ts';
import { WriteCheck } from '../write-check.ts';
import { definePart, type Faults } from './parts.ts';

export const integrity = definePart({
  name: 'integrity',
  needs: ['readiness', 'options'],
  open: ({ readiness, options: { reporter } }) => new Integrity(readiness, reporter),
});

export const mending = definePart({
  name: 'mending',
  needs: ['readiness', 'options'],
  later: ['rebuilding'],
  open(parts) {
    const { readiness, options } = parts;
    const { reporter, clock } = options;
    return createMending({ rebuilding: () => parts.rebuilding, readiness, reporter, clock });
  },
});

export const writeCheck = definePart({
  name: 'writeCheck',
  needs: ['config', 'readiness', 'log'],
  later: ['writes'],
  open(parts) {
    const { config, readiness } = parts;
    const { log } = parts.log;
    const probe = async () => {
      await log.probe?.();
      await parts.writes.submit(bySystem, () => undefined);
    };
    return new WriteCheck({ readiness, probe, checkPlace: () => log.checkPlace?.(), folder: config.dataDir });
  },
});

export const faults = definePart({
  name: 'faults',
  needs: ['integrity', 'mending', 'writeCheck', 'log'],
  open({ integrity: found, mending: mends, writeCheck: check, log: { shared } }): Faults {
    const met = (error: unknown) => {
      if (!isDamage(error)) return;
      if (error instanceof DamagedRow && !mends.isNeeded) found.note('rows', error.message);
      mends.report(error, { isCertain: error instanceof DamagedRow || !(error instanceof ProjectionsDamaged) });
    };
    return {
      met,
      failedWrite(error) {
        // Damaged projections are no sign of a disk fault.
        if (!mends.isNeeded && shared?.replica.connected !== false) check.failed(error);
      },
      damaged: (error) => (isDamage(error) ? met(error) : mends.report(error)),
    };
  },
});
