import { randomUUID } from 'node:crypto';
import { bySystem } from '#commands/session.ts';
import { media } from '#projections/media/definition.ts';
import { users } from '#projections/users/definition.ts';
import { openAuditWords } from '../audit-words.ts';
import { openFiles } from '../files.ts';
import { openForeignFeeds } from '../foreign-feeds.ts';
import { openHookProgress } from '../hook-progress.ts';
import { openLoginCounts } from '../login-counts.ts';
import { openNodeFile, takeFormerFiles } from '../node-file.ts';
import { openUses } from '../password-uses.ts';
import { openReadings } from '../readings.ts';
import { definePart } from './parts.ts';

/** What this node notes. */
export const nodeFile = definePart({
  name: 'nodeFile',
  needs: ['config', 'options', 'log'],
  open({ config: { dataDir }, options: { reporter } }, scope) {
    const opened = openNodeFile(dataDir, reporter);
    scope.defer(() => opened.close());
    takeFormerFiles(dataDir, opened, reporter);
    return opened;
  },
});

/** Last uses of application passwords. */
export const uses = definePart({
  name: 'uses',
  needs: ['config', 'options', 'projections', 'nodeFile'],
  open({ config: { originDays: addressDays }, options: { clock, reporter }, projections, nodeFile: file }) {
    const known = () => projections.core.reader.of(users).passwords();
    return openUses({ file, clock, addressDays, known, reporter });
  },
});

/** Feeds of other sites. */
export const feeds = definePart({
  name: 'feeds',
  needs: ['options', 'nodeFile'],
  open: ({ options: { clock, reporter }, nodeFile: file }) => openForeignFeeds({ file, clock, reporter }),
});

export const logins = definePart({
  name: 'logins',
  needs: ['options', 'nodeFile'],
  open({ options: { clock, reporter }, nodeFile: file }, scope) {
    const opened = openLoginCounts({ file, clock, reporter });
    scope.defer(() => opened.close());
    return opened;
  },
});

/** What auditors read. */
export const readings = definePart({
  name: 'readings',
  needs: ['config', 'options', 'nodeFile'],
  open({ config: { originDays: days }, options: { clock, reporter }, nodeFile: file }, scope) {
    const opened = openReadings({ file, clock, days, reporter });
    scope.defer(() => opened.close());
    return opened;
  },
});

export const auditWords = definePart({
  name: 'auditWords',
  needs: ['config', 'options', 'log'],
  open({ config, options: { reporter }, log: { log } }, scope) {
    const opened = openAuditWords(config.dataDir, log, reporter);
    scope.defer(() => opened.close());
    return opened;
  },
});

export const hooksPart = definePart({
  name: 'hooks',
  needs: ['nodeFile'],
  open: ({ nodeFile }) => openHookProgress(nodeFile),
});

export const files = definePart({
  name: 'files',
  needs: ['config', 'options', 'log', 'integrity', 'projections', 'writes'],
  async open({ config, options: { reporter }, log: { shared }, integrity, projections, writes }, scope) {
    const isNamed = (hash: string) => projections.core.reader.of(media).isNamed(hash);
    const refresh = () => writes.submit(bySystem, () => undefined);
    // Nodes that share a log share its files.
    const sharedAs = shared === null ? undefined : randomUUID();
    const opened = await openFiles({ config, sharedAs, integrity, reporter, isNamed, refresh });
    scope.defer(() => opened.close());
    return opened;
  },
});
