import type { Logger } from 'pino';
import type { EventStore } from '#eventstore/port.ts';
import { createJobs, startJobs } from '#http/tables/plugins/jobs.ts';
import { startIdleWork } from '#node/background.ts';
import { orderTypes } from '#node/erasure/coverage.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import { controlPath, listenControl } from '../control.ts';
import { actingWith } from '../operator.ts';
import { performOn } from '../perform.ts';
import { sendToHooks } from '../send-to-hooks.ts';
import { outgoingOf } from './app.ts';
import { definePart } from './parts.ts';

export interface NotableParts {
  readonly log: Pick<EventStore, 'read'>;
  readonly store: {
    readonly reader: { readonly position: number };
    readonly trail: Pick<TrailTable, 'find' | 'position'>;
    followed(): Promise<void> | undefined;
    changed(listener: () => void): () => void;
  };
  readonly logger: Logger;
  readonly onFault: (error: unknown) => void;
}

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
      model: () => store.reader,
      uploads: store.uploads,
      outgoing: outgoingOf(parts),
      settings: config.plugins,
      submit: (context, change) => store.submit(context, change),
    });
    scope.defer(startJobs(jobs, { changed: (listener) => store.changed(listener), onFault }));
    scope.defer(logNotable({ log: node.log, store, logger, onFault }));
    return undefined;
  },
});

/**
 * The socket on which verbs reach the server. They are loaded when the site is served already, because they are many; and all of them,
 * because a running server must not load files of a newer version later.
 */
export const control = definePart({
  name: 'control',
  needs: ['config', 'logger', 'reporter', 'node', 'health', 'started', 'listening', 'journal', 'backups'],
  async open({ config, logger, reporter, node, health, started, journal, backups }, scope) {
    const { controlsOf } = await import('../verbs.ts');
    const all = controlsOf(node, { since: new Date(started).toISOString(), health, backups });
    const perform = performOn(node.store, all, reporter.fault, (verb, ended, ms) => {
      if (verb.isQuiet !== true) logger.info({ verb: verb.name, ended, ms }, 'command');
    });
    const opened = await listenControl(controlPath(config.dataDir), (verb, args) =>
      actingWith({ note: journal?.note }, () => perform(verb, args)),
    );
    scope.defer(() => opened.close());
    return undefined;
  },
});

const aboutAccounts: Readonly<Record<string, string>> = {
  UserAdded: 'account added',
  UserRoleChanged: 'roles changed',
  UserDisabled: 'account disabled',
  UserEnabled: 'account enabled',
  UserLastDaySet: 'last day of account set',
  UserDeleted: 'account deleted',
};
const types = [...Object.keys(aboutAccounts), ...orderTypes];
/** Milliseconds for which events are batched. */
const pause = 250;

/** Logs a line for each change of accounts and each erasure order of any node, from now on. Returns a function that stops it. */
export function logNotable({ log, store, logger, onFault }: NotableParts): () => void {
  let seen = store.reader.position;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = () => {
    const high = Math.min(store.reader.position, store.trail.position());
    for (const position of store.trail.find({ low: seen + 1, high, backwards: false }, { types })) logEvent(position);
    seen = Math.max(seen, high);
  };
  const lookSoon = async () => {
    try {
      // The trail may contain the event only a moment after the answer.
      await store.followed();
      look();
    } catch (error) {
      onFault(error);
    }
    timer = undefined;
    if (!stopped && seen < store.reader.position) arm();
  };
  const logEvent = (at: number) => {
    const [event] = log.read({ from: at, limit: 1 });
    if (event === undefined) return;
    const { type, stream, position, actor, correlationId } = event;
    const about = { type, stream, position, user: actor, correlationId };
    logger.info(about, aboutAccounts[type] ?? 'erasure ordered');
  };
  const arm = () => {
    timer ??= setTimeout(lookSoon, pause).unref();
  };
  const stop = store.changed(arm);
  return () => {
    stopped = true;
    stop();
    clearTimeout(timer);
    look();
  };
}
