import { viewMaker } from '#http/tables/entries/reads.ts';
import { runAsChild } from '#node/rebuild/job.ts';

await runAsChild(viewMaker);
