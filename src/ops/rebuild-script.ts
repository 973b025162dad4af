import { viewMaker } from '#http/tables/entries/view.ts';
import { rebuildAsChild } from '#node/rebuild/job.ts';

await rebuildAsChild(viewMaker);
