import { openClock } from '../clock.ts';
import { definePart } from './parts.ts';

export const clock = definePart({
  name: 'clock',
  needs: ['config', 'options', 'readiness', 'log'],
  async open({ config, options, readiness, log: { shared } }, scope) {
    const { clock: wall, reporter, monotonic } = options;
    const { dataDir, clockTolerance: tolerance } = config;
    const compare = shared?.compareClock;
    const opened = openClock({ dataDir, tolerance, readiness, reporter, clock: wall, monotonic, compare });
    scope.defer(() => opened.save());
    await opened.compare();
    return opened;
  },
});
