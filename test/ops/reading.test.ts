import { describe, expect, it } from 'vitest';
import { commitHash, EMPTY_HEAD, eventId, sealedDigest } from '#eventstore/chain.ts';
import { header } from '#ops/transfer/format.ts';
import { createReading } from '#ops/transfer/reading.ts';
import { time } from '../support/commits.ts';

const id = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
const salt = '00112233445566778899aabbccddeeff';

interface Forged {
  readonly at?: string;
  readonly data?: string;
  readonly sealed?: string;
  readonly v?: number;
  readonly revision?: number;
}

/** The line of a commit with correct hashes, whatever its contents. */
function lineOf({ at = time(0), data = '{}', sealed = '"x"', v = 1, revision = 1 }: Forged): string {
  const digest = sealedDigest(salt, sealed);
  const event = { id: eventId(id, 0), stream: 'entry-1', revision, type: 'A', v, data };
  const circumstances = { at, actor: null, correlationId: 'c', causationId: null };
  const chained = { position: 1, commit: { id, i: 0, n: 1 }, sealedDigest: digest, hash: null };
  const hash = commitHash(EMPTY_HEAD.hash, [{ ...event, ...circumstances, ...chained }]);
  const events = [{ ...event, sealed, salt, sealedDigest: digest }];
  return `${JSON.stringify({ position: 1, id, ...circumstances, hash, events })}\n`;
}

/** Reads a file with that line. */
const read = (line: string | Buffer) => createReading()(Buffer.concat([Buffer.from(header), Buffer.from(line)]));

describe('reading an export', () => {
  it('accepts valid texts', () => {
    const { commits, fault } = read(lineOf({ sealed: '"Grüße, 世界"' }));
    expect(fault).toBeNull();
    expect(commits).toHaveLength(1);
  });

  it.each<[string, Forged]>([
    ['half a letter', { data: '"\ud800"' }],
    ['half a letter in a sealed text', { sealed: '"\udc00"' }],
    ['a NUL', { data: '"\0"' }],
    ['a NUL in a sealed text', { sealed: '"\0"' }],
    ['another form of time', { at: '2026-01-01 00:00:00' }],
    ['a version below the first', { v: 0 }],
  ])('refuses %s, even if all hashes are correct', (_, forged) => {
    const { commits, fault } = read(lineOf(forged));
    expect(fault).toMatchObject({ kind: 'damaged' });
    expect(commits).toEqual([]);
  });

  it('refuses bytes that are not UTF-8', () => {
    const line = Buffer.from(lineOf({ sealed: '"????"' }));
    line[line.indexOf('????')] = 0xff;
    expect(read(line)).toMatchObject({ commits: [], fault: { kind: 'format', message: 'line 2: not UTF-8' } });
  });

  it('returns the commits before a fault, and where they ended', () => {
    const whole = lineOf({});
    const { commits, end, fault } = read(`${whole}{}\n`);
    expect(commits).toHaveLength(1);
    expect({ end, fault: fault?.kind }).toEqual({ end: header.length + whole.length, fault: 'format' });
  });
});
