import { loadAll } from './verb-files.ts';

/** Every verb there is, loaded at once: a server must not load files of a newer program when it is asked for a verb. */
export const verbs = await loadAll();
