import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RFC3161Timestamp } from '@sigstore/core';
import { type KeptCheckpoint, TIMESTAMPS } from '#node/tree/checkpoints.ts';
import { TIMESTAMP_FILE } from '#node/tree/sinks.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote } from '#tlog/note.ts';
import { type Check, counted, findingsOf, skipped } from './check.ts';

/**
 * Checks what a time-stamping authority has stated of checkpoints (RFC 3161). `certificate`: that of the authority, in PEM; undefined:
 * nothing is checked. Null: there are no timestamps.
 */
export function checkTimestamps(
  dataDir: string,
  { kept, certificate }: { readonly kept: readonly KeptCheckpoint[]; readonly certificate: Buffer | undefined },
): Check | null {
  const folder = join(dataDir, TIMESTAMPS);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(TIMESTAMP_FILE)) : [];
  if (names.length === 0) return null;
  const all = counted(names.length, 'timestamps');
  if (certificate === undefined) return skipped('timestamps', `${all}: --authority names the certificate for them`);
  const authority = new X509Certificate(certificate);
  const texts = new Map(kept.map(({ note }) => parseNote(note)).map(({ text }) => [parseCheckpoint(text).size, text]));
  const findings = findingsOf('timestamps');
  let newest = '';
  for (const name of names.sort()) {
    const size = Number.parseInt(name, 10);
    try {
      const text = texts.get(size);
      if (text === undefined) throw new Error('there is no such checkpoint');
      newest = timeStated(readFileSync(join(folder, name)), text, authority);
    } catch (error) {
      findings.add(`${name} cannot be accepted: ${(error as Error).message}`, size);
    }
  }
  const who = authority.subject.split('\n').join(', ');
  return findings.end(`${all} by ${who}${newest === '' ? '' : `, the newest at ${newest}`}`);
}

/** The time that an answer states of a text (UTC, ISO 8601). Throws unless it holds. */
function timeStated(answer: Buffer, text: string, authority: X509Certificate): string {
  const timestamp = RFC3161Timestamp.parse(Buffer.from(answer));
  timestamp.verify(Buffer.from(text), authority.publicKey);
  const { genTime } = timestamp.tstInfo;
  if (genTime < authority.validFromDate || genTime > authority.validToDate) {
    throw new Error('the certificate of the authority was not valid then');
  }
  return genTime.toISOString();
}
