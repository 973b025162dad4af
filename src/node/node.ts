import type { Config } from '#config.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openParts } from '#process/parts.ts';
import { reporterOf } from '#process/reporter.ts';
import type { SetterTable } from '#projections/audit/setters.ts';
import { startBackground } from './background.ts';
import { nodeParts } from './parts/all.ts';
import type { NodeParts } from './parts/parts.ts';
import { Readiness } from './readiness.ts';
import { provedFrom } from './tree/proving.ts';
import { publicLogOf } from './tree/public-log.ts';
import type { Node, OpenOptions, Store } from './types.ts';
import { readLastVerify } from './verified.ts';

export type { Node, OpenOptions, Store } from './types.ts';

/**
 * Opens a data directory and brings its projections up to date. Throws `LogInUse` when another process holds it, `LogDamaged` when the
 * log is not as it was written.
 */
export async function assembleNode(config: Config, options: OpenOptions, parts = nodeParts): Promise<Node> {
  await using scope = new AsyncDisposableStack();
  const { clock = Date.now, monotonic = options.clock, readiness = new Readiness() } = options;
  const opening = { ...options, clock, monotonic, reporter: reporterOf(options.reporter) };
  const opened = await openParts<NodeParts>(parts, { config, options: opening, readiness }, scope);
  return nodeOf(opened, scope.move());
}

function nodeOf(parts: NodeParts, scope: AsyncDisposableStack): Node {
  const { log, readiness, integrity, faults, projections, prepared } = parts;
  return {
    log: log.log,
    changedSettings: prepared,
    readiness,
    integrity,
    report: faults.met,
    ...(log.shared === null ? {} : { replica: log.shared.replica, completeLedger: log.shared.complete }),
    store: storeOf(parts),
    start: () => startBackground(parts, scope.use(new DisposableStack())),
    work: () => projections.core.work(),
    close: () => scope.disposeAsync(),
  };
}

/** The log of a node for reading; its index may be replaced by a rebuild. */
function logOf(log: EventStore, setters: () => SetterTable): Store['log'] {
  return {
    read: (query) => log.read(query),
    head: () => log.head(),
    positionAt: (at) => log.positionAt(at),
    get setters() {
      return setters();
    },
  };
}

/** What the interface and the verbs read and write of a node. */
function storeOf(parts: NodeParts): Store {
  const { config, log, projections, files, writes, rebuilding, erasing, uses, hooks, notifier, audience } = parts;
  return {
    get reader() {
      return projections.core.reader;
    },
    cacheVersions: parts.cacheVersions,
    files: files.files,
    uploads: files.uploads,
    garbage: files.garbage,
    views: files.views,
    submit: writes.submit,
    writes,
    isCurrent: () => log.shared === null && projections.replacing === null && !projections.core.writer.busy,
    rebuilding,
    erasing,
    plugins: config.plugins,
    nodeFile: parts.nodeFile,
    uses,
    feeds: parts.feeds,
    publicLog: publicLogOf({ dataDir: config.dataDir, ...parts.tree }),
    transparency: parts.tree,
    prove: provedFrom({ dataDir: config.dataDir, ...parts.tree }),
    hooks: { progress: hooks, isOn: config.webhooks, networks: config.webhookNetworks },
    log: logOf(log.log, () => projections.core.setters),
    words: parts.auditWords,
    logins: parts.logins,
    readings: parts.readings,
    get trail() {
      return projections.core.trail;
    },
    followed: () => projections.core.followed(),
    clock: parts.clock.guard,
    health: () => projections.core.health(),
    verified: () => readLastVerify(config.dataDir),
    get acknowledged() {
      return projections.core.writer.owed;
    },
    asked: () => audience.asked(),
    changed: (listener) => notifier.listen(listener),
    awaited: (listener) => audience.wait(notifier.listen(listener)),
    get past() {
      return projections.core.past;
    },
  };
}
