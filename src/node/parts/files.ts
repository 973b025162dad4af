import { randomUUID } from 'node:crypto';
import { bySystem } from '#commands/session.ts';
import { media } from '#projections/media/definition.ts';
import { users } from '#projections/users/definition.ts';
import { openAuditWords } from '../audit-words.ts';
import { openFiles } from '../files.ts';
import { openForeignFeeds } from '../foreign-feeds.ts';
import { openHookProgress } from '../hook-progress.ts';
import { openLoginCounts } from '../login-counts.ts';
import { openUses } from '../password-uses.ts';
import { definePart } from './parts.ts';

/** Last uses of application passwords. */
export const uses = definePart({
  name: 'uses',
  needs: ['config', 'options', 'projections'],
  open({ config: { dataDir, originDays: addressDays }, options: { clock, reporter }, projections }, scope) {
    const known = () => projections.core.reader.of(users).passwords();
    const opened = openUses({ dataDir, clock, addressDays, known, reporter });
    scope.defer(() => opened.close());
    return opened;
  },
});

/** Feeds of other sites. */
export const feeds = definePart({
  name: 'feeds',
  needs: ['config', 'options'],
  open({ config: { dataDir }, options: { clock, reporter } }, scope) {
    const opened = openForeignFeeds({ dataDir, clock, reporter });
    scope.defer(() => opened.close());
    return opened;
  },
});

export const logins = definePart({
  name: 'logins',
  needs: ['config', 'options'],
  open({ config: { dataDir }, options: { clock, reporter } }, scope) {
    const opened = openLoginCounts({ dataDir, clock, reporter });
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
  needs: ['config', 'options'],
  open({ config, options: { reporter } }, scope) {
    const opened = openHookProgress(config.dataDir, reporter);
    scope.defer(() => opened.close());
    return opened;
  },
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
