import { clock } from './clock.ts';
import { faults, integrity, mending, writeCheck } from './faults.ts';
import { auditWords, feeds, files, hooksPart, logins, nodeFile, readings, uses } from './files.ts';
import { lock, log, tree } from './log.ts';
import { audience, cacheVersions, notifier, prepared, projections } from './projections.ts';
import { erasingPart, rebuilding } from './rebuild.ts';
import { writes } from './writes.ts';

/** All parts of a node, in the order in which they open. */
export const nodeParts = [
  lock,
  log,
  integrity,
  mending,
  clock,
  writeCheck,
  faults,
  cacheVersions,
  notifier,
  audience,
  nodeFile,
  feeds,
  projections,
  prepared,
  uses,
  logins,
  readings,
  auditWords,
  hooksPart,
  writes,
  files,
  erasingPart,
  rebuilding,
  tree,
];
