import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, event, time } from '../support/commits.ts';
import { carryOut } from '../support/place.ts';
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
  it('moves into a shared one and back with its positions, ids, times and hashes', async () => {
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
  });

  it('goes on moving where it was when it is imported again', async () => {
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
});
