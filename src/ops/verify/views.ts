import { join } from 'node:path';
import { ViewsOnDisk } from '#projections/views/intact.ts';
import type { StartProgress } from '../progress.ts';
import { type Check, counted, findingsOf, skipped } from './check.ts';

/** Number of views between two progress reports. */
const stride = 500;
/** Maximum number of attempts when a server replaces the views meanwhile. */
const tries = 3;

/** Checks that ready answers are unchanged since they were rendered, since they are sent without being rendered again. */
export async function checkViews(dataDir: string, progress: StartProgress): Promise<Check> {
  const views = new ViewsOnDisk(join(dataDir, 'views'));
  for (let i = 0; i < tries; i++) {
    const state = views.state();
    if (state === null) return skipped('answers', 'none are kept ready; a server makes them');
    const check = await examine(views, progress);
    // Files may have been replaced meanwhile: a finding counts only if the state is unchanged.
    if (check.result === 'ok' || views.state() === state) return check;
  }
  return skipped('answers', 'they change all the time');
}

async function examine(views: ViewsOnDisk, progress: StartProgress): Promise<Check> {
  const findings = findingsOf('answers');
  const task = progress({ name: 'checking the ready answers', total: 0, unit: 'answers' });
  let count = 0;
  try {
    for (const { id, isIntact } of views.examine()) {
      count += 1;
      if (!isIntact)
        findings.add(`The answer that is kept ready for ${id} is not what was made; "rebuild views" mends it`);
      if (count % stride === 0) await task.at(count);
    }
  } finally {
    task.end();
  }
  return findings.end(`${counted(count, 'answers')} kept ready`);
}
