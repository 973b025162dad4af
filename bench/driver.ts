/** The load driver, a separate process: receives loads from its parent process and reports the measurements. */
import { runLoad } from './load/run.ts';
import type { DriverMessage, Load } from './load/types.ts';

process.on('message', (load: Load) => {
  const answer = (message: DriverMessage) => process.send?.(message);
  runLoad(load).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ fault: error instanceof Error ? error.message : String(error) }),
  );
});

process.on('disconnect', () => process.exit());
