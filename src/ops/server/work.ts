import { createJobs, startJobs } from '#http/tables/plugins/jobs.ts';
import { startIdleWork } from '#node/idle-work.ts';
import { logNotable } from '../notable.ts';
import { sendToHooks } from '../send-to-hooks.ts';
import { outgoingOf } from './app.ts';
import { definePart } from './parts.ts';

/** Limits prerendering to a twentieth of a processor, since nobody has requested those pages yet. */
const CRAWLER_RESTS = 19;

/** What the server does besides answering. */
export const work = definePart({
  name: 'work',
  needs: ['config', 'logger', 'reporter', 'node', 'metrics', 'telemetry', 'crawler', 'poster'],
  open(parts, scope) {
    const { config, logger, reporter, node, metrics: meter, crawler, poster } = parts;
    const { store } = node;
    const onFault = reporter.fault;
    node.start();
    if (config.webhooks) scope.defer(sendToHooks({ store, poster, logger, onFault, meter }));
    if (crawler !== undefined) {
      const isBusy = () => store.writes.waiting() > 0;
      scope.defer(startIdleWork({ work: crawler.step, isBusy, reporter, restsFor: CRAWLER_RESTS }));
    }
    const jobs = createJobs({
      ...{ model: () => store.reader, uploads: store.uploads, outgoing: outgoingOf(parts), settings: config.plugins },
      submit: (context, change) => store.submit(context, change),
    });
    scope.defer(startJobs(jobs, { changed: (listener) => store.changed(listener), onFault }));
    scope.defer(logNotable({ log: node.log, store, logger, onFault }));
    return undefined;
  },
});
