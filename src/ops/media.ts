import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { objectsAddress } from '#config/values.ts';
import { type Copied, copyKept } from '#media/copy.ts';
import { hashIn, type KeptFile } from '#media/files.ts';
import { openMedia } from '#media/open.ts';
import { openObjects } from '#objects/open.ts';
import type { ObjectStore } from '#objects/port.ts';
import { defineLocalVerb, defineVerb, UsageError, type VerbPlace } from './verb.ts';

const mediaGarbage = defineVerb({
  name: 'media garbage',
  isRead: true,
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

const store = objectsAddress();

const moveMedia = defineLocalVerb({
  name: 'media move',
  summary:
    'Copies all uploaded files from one store to another and checks each; what is there already stays, so that it can be run again.',
  example: 'media move --to s3://bucket/site?region=eu-central-1',
  args: z.object({
    from: store.optional().describe('folder or s3://bucket/prefix; default: where the settings keep files'),
    to: store.optional().describe('the same; default: where the settings keep files'),
    remove: z
      .boolean()
      .optional()
      .describe('remove each file from the first store once the second has it; only when no server uses the first'),
  }),
  here: async (place, { from: source, to: target, remove = false }) => {
    if ((source === undefined) === (target === undefined)) throw new UsageError('either --from or --to is needed');
    const [from, to] = await Promise.all([storeOf(source, place), storeOf(target, place)]);
    try {
      if (await isSame(from, to)) throw new UsageError(`from and to are the same: ${from.address}`);
      return await moveAll({ from, to, remove }, place);
    } finally {
      from.close();
      to.close();
    }
  },
});

/** Whether two names lead to one store: a folder can be reached by several paths, and buckets of several providers have one name. */
async function isSame(from: ObjectStore, to: ObjectStore): Promise<boolean> {
  const key = `same-${randomUUID()}`;
  await to.put(key, probe());
  try {
    return (await from.head(key)) !== null;
  } finally {
    await to.remove(key);
  }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('Is this the same store?\n');
}

export const mediaVerbs = [mediaGarbage, mediaSweep, moveMedia];

/** Number of files moved concurrently. */
const atOnce = 8;

function listed(files: readonly KeptFile[]) {
  return files.map(({ hash, bytes }) => ({ hash, bytes }));
}

function storeOf(address: string | undefined, { config }: VerbPlace): Promise<ObjectStore> {
  return address === undefined ? openMedia(config) : openObjects(address);
}

interface Move {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  readonly remove: boolean;
}

async function moveAll({ from, to, remove }: Move, { progress }: VerbPlace) {
  const counts: Record<Copied, number> = { copied: 0, there: 0, missing: 0, differs: 0 };
  const damaged: string[] = [];
  const task = progress({ name: 'moving uploaded files', total: 0, unit: 'files' });
  let removed = 0;
  let done = 0;

  async function move(file: KeptFile, key: string): Promise<void> {
    const outcome = await copyKept(file, from, to, { proves: remove });
    counts[outcome] += 1;
    if (outcome === 'differs') damaged.push(file.hash);
    if (remove && (outcome === 'copied' || outcome === 'there')) {
      await from.remove(key);
      removed += 1;
    }
    done += 1;
    await task.at(done);
  }

  try {
    let under: Promise<void>[] = [];
    for await (const { key, bytes } of from.list('')) {
      const hash = hashIn(key);
      if (hash === null) continue;
      under.push(move({ hash, bytes }, key));
      if (under.length < atOnce) continue;
      await Promise.all(under);
      under = [];
    }
    await Promise.all(under);
  } finally {
    task.end();
  }
  const value = { from: from.address, to: to.address, copied: counts.copied, there: counts.there, removed, damaged };
  return { kind: damaged.length === 0 ? ('done' as const) : ('wrong' as const), value };
}
