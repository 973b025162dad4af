import type { Node } from '#node/types.ts';
import { eraseControls } from './erase-orders.ts';
import { completeControl } from './event-store.ts';
import { migrationControls } from './migrate/controls.ts';
import { rebuildControls } from './rebuild.ts';
import { type About, statusControl } from './status.ts';
import { undoControls } from './undo.ts';
import type { Verb } from './verb.ts';
import { loadAll } from './verb-files.ts';

/** All verbs. */
export const verbs = await loadAll();

/** What a server carries out for verbs in other processes. */
export const controlsOf = (node: Node, about: About): readonly Verb[] => [
  ...verbs,
  ...rebuildControls,
  ...eraseControls,
  ...undoControls,
  ...migrationControls,
  completeControl(node),
  statusControl(node, about),
];
