import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { type CheckedProof, checkProof, type ProvedEvent } from '#proofs/bundle.ts';
import { type FieldSpan, historiesIn, isInSealedText, PASSWORD, type StreamHistory } from '#proofs/histories.ts';
import { BadProof } from '#proofs/opened.ts';
import { BadPolicy, parsePolicy, type TrustPolicy } from '#tlog/policy.ts';
import { cell, tableColumns } from './output.ts';
import { defineLocalVerb, UsageError } from './verb.ts';
import { counted } from './verify/check.ts';

const noPolicy =
  '--policy is missing. It says whose signatures count. On the site "npm run -s cli -- witness policy > policy.txt" writes one; take it from somewhere you trust, then: verify-proof FILE --policy policy.txt';

/** Needs neither a site nor its settings: it checks what somebody else was handed. */
const verifyProof = defineLocalVerb({
  name: 'verify-proof',
  summary: 'Checks the file of a proof, and says what it shows and what it does not.',
  example: 'verify-proof entry-12-title.proof.json --policy policy.txt',
  positionals: ['file'],
  args: z.object({
    file: localPath().describe('the file that "prove" has written'),
    policy: localPath()
      .optional()
      .describe(
        'whose signatures count: a file of lines "log <key>", "witness <name> <key>", "group …", "quorum …"; "witness policy" on the site writes one',
      ),
  }),
  here: async (_, { file, policy: path }) => {
    if (path === undefined) throw new UsageError(noPolicy);
    const policy = policyIn(path);
    try {
      const proof = checkProof(read(file), policy);
      const histories = historiesIn(proof.events);
      return { kind: 'done', value: valueOfProof(proof, histories), text: reportOf(proof, histories, policy) };
    } catch (error) {
      if (!(error instanceof BadProof)) throw error;
      const { message } = error;
      return { kind: 'wrong', value: { holds: false, reason: message }, text: `This proof does not hold: ${message}.` };
    }
  },
});

export const verifyProofVerbs = [verifyProof];

/** Characters of a value that are shown to people. */
const shown = 200;

function policyIn(path: string): TrustPolicy {
  try {
    return parsePolicy(read(path));
  } catch (error) {
    throw error instanceof BadPolicy ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function valueOfProof(proof: CheckedProof, histories: readonly StreamHistory[]) {
  const { log, before, cosigned, organisations, unchecked, events, sha256 } = proof;
  return {
    holds: true,
    sha256,
    log: { origin: log.origin, size: log.size },
    before: before && { size: before.size },
    witnesses: cosigned.map(({ witness, key, time }) => ({ witness, key, at: timeOf(time) })),
    organisations,
    unchecked,
    events,
    histories: histories.map(({ stream, events: own, fields }) => ({
      stream,
      from: own[0]?.position,
      to: own.at(-1)?.position,
      isWhole: own[0]?.revision === 1,
      fields: Object.fromEntries([...fields].map(([name, spans]) => [name, spans.map(spanValue)])),
    })),
  };
}

function spanValue({ value, from, until, last }: FieldSpan) {
  return {
    ...(value === undefined ? { isShown: false } : { isShown: true, value }),
    from: from.position,
    until: until?.position ?? null,
    last: last.position,
  };
}

function reportOf(proof: CheckedProof, histories: readonly StreamHistory[], policy: TrustPolicy): string {
  const { log, before, events, sha256 } = proof;
  return [
    `The proof holds. It is of the log ${log.origin}, of which ${counted(log.size, 'events')} were signed.`,
    ...(before === null
      ? []
      : [
          `An earlier log of ${counted(before.size, 'events')} was only continued: none of them was changed or removed.`,
        ]),
    `The file: sha256 ${sha256}`,
    ...section('Who vouches for it', vouchers(proof, policy)),
    ...section('The events', tableColumns(events.map(eventRow))),
    ...section('What it opens', openedIn(proof)),
    ...section('What it shows', histories.flatMap(shownOf)),
    ...section('What it does not show', notShown(proof, histories)),
  ]
    .map(cell)
    .join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function vouchers(
  { log, cosigned, organisations, unchecked }: CheckedProof,
  { quorum }: TrustPolicy,
): readonly string[] {
  const witnesses = `${cosigned.length} ${cosigned.length === 1 ? 'witness' : 'witnesses'}`;
  const owners = `${organisations.length} ${organisations.length === 1 ? 'organisation' : 'organisations'}`;
  return [
    `The log ${log.origin} has signed.`,
    ...cosigned.map(({ witness, key, time }) => `The witness ${witness} (${key}) has cosigned at ${timeOf(time)}.`),
    `${witnesses} of ${owners}. The policy asks for ${quorum === null ? 'none' : `“${quorum}”, and has it`}.`,
    ...unchecked.map(
      (name) =>
        `Not checked: a signature by ${name}. Its key is not in the policy, or of a kind that is not checked here.`,
    ),
  ];
}

/** Names of the sealed fields whose values are in the file. */
function openedIn({ events }: CheckedProof): readonly string[] {
  const names = events.flatMap(({ opened }) => (opened === null ? [] : Object.keys(opened)));
  const counts = Map.groupBy(names, (name) => name);
  if (counts.size === 0) return ['No sealed field: no text, no name, no password.'];
  return [...counts].map(([name, all]) => `${name}, in ${counted(all.length, all.length === 1 ? 'event' : 'events')}`);
}

function eventRow({ position, at, stream, revision, type, actor, isSealed, opened }: ProvedEvent): readonly string[] {
  const text = opened === null ? 'sealed fields not shown' : `shown: ${Object.keys(opened).join(', ')}`;
  return [
    `position ${position}`,
    at,
    `${stream}, event ${revision}`,
    type,
    `by ${nameOf(actor)}`,
    isSealed ? text : '',
  ];
}

function shownOf({ stream, events, fields }: StreamHistory): readonly string[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return [];
  const range = first === last ? `event ${first.revision}` : `events ${first.revision} to ${last.revision}`;
  const between = first === last ? '' : ' Nothing else happened to it in between.';
  return [
    `${stream}: ${range}, ${momentOf(first)}${first === last ? '' : ` to ${momentOf(last)}`}.${between}`,
    ...events.filter(({ type }) => type.endsWith('Erased')).map(orderLine),
    ...[...fields].flatMap(([name, spans]) => spans.map((span) => `  ${name} ${spanLine(name, span)}`)),
  ];
}

function orderLine(event: ProvedEvent): string {
  const { by = event.actor, reason } = event.data;
  const who = typeof by === 'number' ? `by ${nameOf(by)}` : 'by somebody who was not recorded,';
  const why = typeof reason === 'string' && reason !== '' ? `, for the reason ${quoted(reason)}` : '';
  return `  its erasure was ordered ${who} at ${momentOf(event)}${why}`;
}

function spanLine(name: string, { value, from, until, last }: FieldSpan): string {
  const isNone = name === PASSWORD && value === '';
  const what = isNone ? 'was none' : value === undefined ? 'is not shown' : `was ${quoted(value)}`;
  const start = `from ${momentOf(from)}`;
  const isUnknown = until?.names === null && (until.stream !== from.stream || isInSealedText(name, until.stream));
  if (until !== null) return `${what} ${start} ${isUnknown ? 'at least until' : 'to'} ${momentOf(until)}`;
  return last === from ? `${what} ${start}` : `${what} ${start}, still so at ${momentOf(last)}`;
}

function notShown({ events, cosigned }: CheckedProof, histories: readonly StreamHistory[]): readonly string[] {
  const earliest = Math.min(...cosigned.map(({ time }) => time));
  const entries = histories.filter(({ stream, fields }) => stream.startsWith('entry-') && fields.has('status'));
  const unknown = entries.filter(({ fields }) => (fields.get('password') ?? [{ value: undefined }]).some(isNotShown));
  return [
    ...histories.map(({ stream, events: own }) => {
      const last = own.at(-1);
      return `Nothing is shown about what came later for ${stream}, after position ${last?.position}.`;
    }),
    cosigned.length === 0
      ? 'The times are those of the site. No witness says when it was recorded.'
      : `The times are those of the site. It was recorded at ${timeOf(earliest)} at the latest, as a witness says.`,
    ...(entries.length > 0
      ? ['Deleting an account can move its entries to the trash without an event of theirs.']
      : []),
    ...unknown.map(
      ({ stream }) => `Whether a password was needed to read ${stream}, except when one of its lines says so.`,
    ),
    ...(events.some(({ type }) => type.endsWith('Erased'))
      ? ['That nobody has a copy of an erased text, no proof can show.']
      : []),
  ];
}

function isNotShown({ value }: Pick<FieldSpan, 'value'>): boolean {
  return value === undefined;
}

function quoted(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isLong = value.length > shown;
  const text = isLong ? `${value.slice(0, shown).toWellFormed()}…` : value;
  return `“${text}”${isLong ? ` (${counted(value.length, 'characters')})` : ''}`;
}

function momentOf({ at, position }: ProvedEvent): string {
  return `${at} (position ${position})`;
}

function nameOf(actor: number | null): string {
  if (actor === null) return 'the system';
  return actor === 0 ? 'somebody not logged in' : `user ${actor}`;
}

function timeOf(seconds: number): string {
  // Witnesses sign whole seconds.
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
