import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchLog } from '#ops/backups/fetch.ts';
import { openRepository } from '#ops/backups/repository.ts';
import { commit, event, time } from '../support/commits.ts';
import { carryOut, placeOf } from '../support/place.ts';
import { appendTo, directoryWith, logOf } from '../support/plain-log.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { openWireStore, standInForTest } from '../support/wire-store.ts';

const sealed = (text: string) => event('entry-1', { sealed: JSON.stringify(text) });
const history = [
  commit([sealed('Grüße'), 'entry-2'], { at: time(1) }),
  ...Array.from({ length: 60 }, (_, k) => commit([sealed('x'.repeat(3000)), 'term-1'], { at: time(2 + k) })),
];
const file = () => join(temporaryDirectory(), 'log.ndjson');

describe('a log', () => {
  it('keeps positions, ids, times and hashes when moved into a shared log and back, or into a backup', async () => {
    const standIn = await standInForTest({ maxAppendBytes: 70_000 });
    const env = { EVENTSTORE_URL: standIn.url, EVENTSTORE_SITE: 'moved', EVENTSTORE_APPEND_BYTES: '70000' };
    const [here, there, back] = [await directoryWith(...history), temporaryDirectory(), temporaryDirectory()];
    const [first, second] = [file(), file()];
    await carryOut(here, 'export', { file: first });
    const moved = await carryOut(there, 'import', { file: first }, { env });
    expect(moved).toMatchObject({ kind: 'done', value: { events: 122, hash: logOf(here).at(-1)?.hash } });
    const other = await openWireStore(standIn, { stream: 'palimpsest-moved' });
    expect([...other.chain()]).toEqual(logOf(here));
    await carryOut(there, 'export', { file: second });
    await carryOut(back, 'import', { file: second });
    expect(logOf(back)).toEqual(logOf(here));
    const [to, restored] = [temporaryDirectory(), temporaryDirectory()];
    expect(await carryOut(there, 'backup', { to }, { env })).toMatchObject({ kind: 'done', value: { events: 122 } });
    const repository = await openRepository({ address: to, key: null });
    await fetchLog({ repository, path: join(restored, 'log.db'), progress: placeOf(restored).progress });
    expect(logOf(restored)).toEqual(logOf(here));
  });

  it('is completed when a longer export is imported again', async () => {
    const standIn = await standInForTest();
    const env = { EVENTSTORE_URL: standIn.url };
    const [here, there] = [await directoryWith(...history.slice(0, 9)), temporaryDirectory()];
    const [some, whole] = [file(), file()];
    await carryOut(here, 'export', { file: some });
    await appendTo(here, ...history.slice(9));
    await carryOut(here, 'export', { file: whole });
    await carryOut(there, 'import', { file: some }, { env });
    expect(await carryOut(there, 'import', { file: whole }, { env })).toMatchObject({ value: { events: 104 } });
    expect(logOf(there)).toEqual(logOf(here));
  });

  it('lets the folder that it was exported from become a node', async () => {
    const standIn = await standInForTest();
    const env = { EVENTSTORE_URL: standIn.url };
    const here = await directoryWith(...history);
    const whole = file();
    await carryOut(here, 'export', { file: whole });
    await carryOut(temporaryDirectory(), 'import', { file: whole }, { env });
    const node = await openWireStore(standIn, { stream: 'palimpsest-site', directory: here });
    expect(await node.append([commit(['a'], { at: time(99) })], 122)).toMatchObject({ position: 123 });
  });

  it('can be restored from a node’s copy into a server that lost everything, and other nodes continue', async () => {
    const standIn = await standInForTest();
    const options = { stream: 'palimpsest-site' };
    const [max, less] = [temporaryDirectory(), temporaryDirectory()];
    const nodes = [await openWireStore(standIn, { ...options, directory: max })];
    await nodes[0]?.append(history.slice(0, 5), 0);
    const other = await openWireStore(standIn, { ...options, directory: less });
    other.close();
    await nodes[0]?.append(history.slice(5), 10);
    nodes[0]?.close();
    standIn.storage.clear();
    const whole = file();
    await carryOut(max, 'export', { file: whole });
    const env = { EVENTSTORE_URL: standIn.url };
    expect(await carryOut(temporaryDirectory(), 'import', { file: whole }, { env })).toMatchObject({ kind: 'done' });
    const again = await Promise.all([max, less].map((directory) => openWireStore(standIn, { ...options, directory })));
    for (const node of again) expect([...node.chain()]).toEqual(logOf(max));
    expect(await again[1]?.append([commit(['a'], { at: time(99) })], 122)).toMatchObject({ position: 123 });
  });
});
