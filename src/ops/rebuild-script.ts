import { viewMaker } from '#http/tables/entries/reads.ts';
import { rebuildAsChild } from '#node/rebuild/job.ts';

await rebuildAsChild(viewMaker);
