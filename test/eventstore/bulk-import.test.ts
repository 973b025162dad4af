import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CopyDiffers } from '#eventstore/port.ts';
import { openBulkImport } from '#eventstore/sqlite/bulk-import.ts';
import { type PackedRow, toRow, withSealed } from '#eventstore/sqlite/row.ts';
import { commit } from '../support/commits.ts';
import { directoryWith, logOf } from '../support/plain-log.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The rows of three commits of two events each; four events are in one stream. */
async function rowsOfALog(): Promise<PackedRow[][]> {
  const log = logOf(await directoryWith(commit(['a', 'b']), commit(['a', 'a']), commit(['a', 'c'])));
  const rows = log.map((event) => {
    const row = toRow(event);
    return withSealed(row, row[17] === null ? null : Buffer.from(row[17]));
  });
  return [rows.slice(0, 2), rows.slice(2, 4), rows.slice(4)];
}

describe('importing a log in bulk', () => {
  it('stores flushed rows', async () => {
    const directory = temporaryDirectory();
    const target = openBulkImport(join(directory, 'log.db'));
    const [first = [], second = []] = await rowsOfALog();
    target.take(first);
    target.take(second);
    await target.flush();
    await target.flush();
    target.close();
    expect(logOf(directory).map(({ stream, revision }) => [stream, revision])).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
      ['a', 3],
    ]);
  });

  it.each([
    ['skips one', 3],
    ['repeats one', 1],
    ['restarts at 0', 0],
  ])('refuses a revision that %s, and stores no unflushed rows', async (_, revision) => {
    const directory = temporaryDirectory();
    const target = openBulkImport(join(directory, 'log.db'));
    const [first = [], second = []] = await rowsOfALog();
    target.take(first);
    await target.flush();
    const wrong = second.map((row, i): PackedRow => (i === 0 ? (row.with(2, revision) as PackedRow) : row));
    expect(() => target.take(wrong)).toThrow(CopyDiffers);
    target.close();
    expect(logOf(directory)).toHaveLength(2);
  });
});
