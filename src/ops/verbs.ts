import { loadAll } from './verb-files.ts';

/** All verbs, loaded at once: a running server must not load files of a newer version later. */
export const verbs = await loadAll();
