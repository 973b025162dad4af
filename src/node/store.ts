import { isRefusal } from '#domain/kernel/refusal.ts';
import { positionOf } from '#projections/past/as-of.ts';
import type { NodeParts } from './parts/parts.ts';
import type { Store } from './types.ts';
import { readLastVerify } from './verified.ts';

/** What the interface and the verbs read and write of a node. */
export function storeOf(parts: NodeParts): Store {
  const { config, log, projections, files, writes, rebuilding, erasing, uses, hooks, notifier, audience } = parts;
  return {
    get reader() {
      return projections.core.reader;
    },
    cacheVersions: parts.cacheVersions,
    files: files.files,
    uploads: files.uploads,
    garbage: files.garbage,
    submit: writes.submit,
    writes,
    isCurrent: () => log.shared === null && projections.replacing === null && !projections.core.writer.busy,
    rebuilding,
    erasing,
    plugins: config.plugins,
    uses,
    hooks: { progress: hooks, isOn: config.webhooks, networks: config.webhookNetworks },
    log: log.log,
    get trail() {
      return projections.core.trail;
    },
    followed: () => projections.core.followed(),
    clock: parts.clock.guard,
    health: () => projections.core.health(),
    verified: () => readLastVerify(config.dataDir),
    get owed() {
      return projections.core.writer.owed;
    },
    asked: () => audience.asked(),
    changed: (listener) => notifier.listen(listener),
    awaited: (listener) => audience.wait(notifier.listen(listener)),
    at(asOf) {
      const found = positionOf(asOf, { log: log.log, zone: projections.core.reader.site().timezone });
      return isRefusal(found) ? found : projections.core.past.at(found.position);
    },
  };
}
