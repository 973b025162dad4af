import { audit } from './audit.ts';
import { backupVerbs } from './backup.ts';
import { eraseVerbs } from './erase.ts';
import { exportVerbs } from './export.ts';
import { importVerbs } from './import.ts';
import { mediaVerbs } from './media.ts';
import { rebuild } from './rebuild.ts';
import { replay } from './replay.ts';
import { restoreVerbs } from './restore.ts';
import { toolsVerbs } from './tools.ts';
import { userVerbs } from './user.ts';
import type { Verb } from './verb.ts';
import { verifyVerbs } from './verify.ts';

/** Every verb there is, for the command line and for the control socket of a server. */
export const verbs: readonly Verb[] = [
  ...userVerbs,
  ...mediaVerbs,
  ...toolsVerbs,
  ...verifyVerbs,
  ...exportVerbs,
  ...importVerbs,
  ...backupVerbs,
  ...restoreVerbs,
  ...eraseVerbs,
  rebuild,
  replay,
  audit,
];
