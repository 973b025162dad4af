import { z } from 'zod';
import type { KeptFile } from '#media/files.ts';
import { moveMedia } from './move-media.ts';
import { defineVerb } from './verb.ts';

const mediaGarbage = defineVerb({
  name: 'media garbage',
  summary: 'Lists files that are kept and no event names.',
  example: 'media garbage --json',
  args: z.object({}),
  run: async (store) => listed(await store.garbage.list()),
});

const mediaSweep = defineVerb({
  name: 'media sweep',
  summary: 'Removes kept files that no event names, and lists them.',
  example: 'media sweep',
  args: z.object({}),
  run: async (store) => listed(await store.garbage.sweep()),
});

export const mediaVerbs = [mediaGarbage, mediaSweep, moveMedia];

function listed(files: readonly KeptFile[]) {
  return files.map(({ hash, bytes }) => ({ hash, bytes }));
}
