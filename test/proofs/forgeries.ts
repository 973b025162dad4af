import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BundledEvent, encodeBundle, type ProofBundle } from '#proofs/bundle.ts';
import { checkpointText } from '#tlog/checkpoint.ts';
import { signNote, toBase64 } from '#tlog/note.ts';
import { consistencyProof } from '#tlog/tree.ts';
import { forgedFieldProofs, trueFieldProofs } from './field-proofs.ts';
import {
  checkpointOf,
  cosignedBy,
  item,
  keys,
  policyText,
  type SampleLog,
  sampleLog,
  signed,
  someTime,
  trueProofs,
} from './sample-log.ts';

/** A file that every verifier has to refuse with the policy of the sample log. */
export interface Forgery {
  readonly name: string;
  readonly file: Uint8Array;
}

type Change = (bundle: ProofBundle) => ProofBundle;

/** Forged proofs; whatever a forger can do has the right checksum, and whatever the log could do has the right signatures. */
export function* forgeries(): Generator<Forgery> {
  for (const [name, change] of Object.entries({ ...ofEvents, ...ofCheckpoints })) {
    yield { name, file: Buffer.from(encodeBundle(change(sample()))) };
  }
  for (const [name, change] of Object.entries(ofEarlier)) {
    yield { name, file: Buffer.from(encodeBundle(change(certificate()))) };
  }
  for (const [name, bundle] of Object.entries({ ...ofLogs(), ...forgedFieldProofs() }))
    yield { name, file: Buffer.from(encodeBundle(bundle)) };
  for (const [name, text] of Object.entries(ofTexts())) yield { name, file: Buffer.from(text) };
}

/** Writes true and forged proofs and the policy, for verifiers in other languages. */
export function writeCorpus(folder: string, wanted: (name: string) => boolean = () => true): void {
  for (const name of ['true', 'forged']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'policy.txt'), policyText);
  for (const { name, text } of [...trueProofs(), ...trueFieldProofs()])
    writeFileSync(join(folder, 'true', `${name}.proof.json`), text);
  for (const { name, file } of forgeries()) {
    if (wanted(name)) writeFileSync(join(folder, 'forged', `${name}.proof.json`), file);
  }
}

const log = sampleLog();
const SIZE = 14;

function sample(): ProofBundle {
  return log.bundle(SIZE, [3, 5, 6, 8, 9], [3, 6, 9]);
}

function certificate(): ProofBundle {
  const consistency = consistencyProof(11, 17, log.tree).map(toBase64);
  const before = { checkpoint: signNote(checkpointOf(log, 11), [keys.log]), consistency };
  return { ...log.bundle(17, [13, 15, 16]), before };
}

const event =
  (i: number, change: (event: BundledEvent, all: readonly BundledEvent[]) => Partial<BundledEvent>): Change =>
  (bundle) => ({
    ...bundle,
    events: bundle.events.map((one, k) => (k === i ? { ...one, ...change(one, bundle.events) } : one)),
  });

const row = (change: (row: string) => string): Change => event(2, (one) => ({ row: change(one.row) }));

const rowOf = (change: (values: unknown[]) => void): Change =>
  row((text) => {
    const values = JSON.parse(text);
    change(values);
    return JSON.stringify(values);
  });

type Whole = Exclude<NonNullable<BundledEvent['sealed']>, { readonly fields: unknown }>;

const sealed = (change: (sealed: Whole) => object): Change =>
  event(2, ({ sealed: own }) => ({ sealed: own && { ...(own as Whole), ...change(own as Whole) } }));

const events =
  (change: (events: readonly BundledEvent[]) => readonly BundledEvent[]): Change =>
  (bundle) => ({ ...bundle, events: change(bundle.events) });

const checkpoint =
  (change: (checkpoint: string) => string): Change =>
  (bundle) => ({ ...bundle, checkpoint: change(bundle.checkpoint) });

const swapped = <K extends keyof BundledEvent>(member: K): Change =>
  events(([a, b, c, ...rest]) =>
    a && b && c ? [{ ...a, [member]: c[member] }, b, { ...c, [member]: a[member] }, ...rest] : [],
  );

const ofEvents: Record<string, Change> = {
  'proof-empty': event(2, () => ({ proof: [] })),
  'proof-shorter': event(2, ({ proof }) => ({ proof: proof.slice(1) })),
  'proof-longer': event(2, ({ proof }) => ({ proof: [...proof, proof[0] ?? ''] })),
  'proof-reversed': event(2, ({ proof }) => ({ proof: proof.toReversed() })),
  'proof-short-hash': event(2, ({ proof }) => ({ proof: ['AAAA', ...proof.slice(1)] })),
  'proof-without-padding': event(2, ({ proof }) => ({ proof: proof.map((text) => text.replace('=', '')) })),
  'proof-with-unused-bits': event(2, ({ proof }) => ({
    proof: proof.map((text) => text.replace(/.=$/, (end) => `${nextOf(end[0] ?? '')}=`)),
  })),
  'proof-with-spaces': event(2, ({ proof }) => ({ proof: proof.map((text) => `${text} `) })),
  'proof-of-url-alphabet': event(2, ({ proof }) => ({
    proof: proof.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  })),
  'proofs-swapped': swapped('proof'),
  'rows-swapped': swapped('row'),
  'salts-swapped': events(([a, b, c, ...rest]) =>
    a?.sealed && 'salt' in a.sealed && b && c?.sealed && 'salt' in c.sealed
      ? [
          { ...a, sealed: { ...a.sealed, salt: c.sealed.salt } },
          b,
          { ...c, sealed: { ...c.sealed, salt: a.sealed.salt } },
          ...rest,
        ]
      : [],
  ),
  'sealed-swapped': swapped('sealed'),
  'sealed-changed': sealed(({ text }) => ({ text: text.replace('Second', 'First') })),
  'sealed-with-space': sealed(({ text }) => ({ text: `${text} ` })),
  'sealed-salt-and-text-moved': sealed(({ salt, text }) => ({ salt: salt.slice(0, -1), text: salt.slice(-1) + text })),
  'sealed-salt-in-capitals': sealed(({ salt }) => ({ salt: salt.toUpperCase() })),
  'sealed-salt-empty': sealed(({ salt, text }) => ({ salt: '', text: salt + text })),
  'sealed-where-nothing-is': event(1, () => ({ sealed: { salt: '0'.repeat(32), text: '{"title":"Forged"}' } })),
  'row-type': rowOf((values) => values.splice(4, 1, 'EntryPublished')),
  'row-user': rowOf((values) => values.splice(11, 1, 2)),
  'row-time': rowOf((values) => values.splice(10, 1, '2020-01-01T00:00:00.000Z')),
  'row-data': rowOf((values) => values.splice(14, 1, '{}')),
  'row-digest': rowOf((values) => values.splice(15, 1, null)),
  'row-format': rowOf((values) => values.splice(0, 1, 'palimpsest event 2')),
  'row-stream': rowOf((values) => values.splice(2, 1, 'entry-13')),
  'row-position-zero': rowOf((values) => values.splice(1, 1, 0)),
  'row-position-below-zero': rowOf((values) => values.splice(1, 1, -6)),
  'row-position-of-another': rowOf((values) => values.splice(1, 1, 7)),
  'row-position-after-the-log': rowOf((values) => values.splice(1, 1, SIZE + 1)),
  'row-position-huge': row((text) => text.replace(',6,', ',9007199254740993,')),
  'row-position-as-text': rowOf((values) => values.splice(1, 1, '6')),
  'row-position-as-fraction': row((text) => text.replace(',6,', ',6.0,')),
  'row-position-as-exponent': row((text) => text.replace(',6,', ',6e0,')),
  'row-with-space': row((text) => text.replace(',', ', ')),
  'row-shorter': rowOf((values) => values.pop()),
  'row-longer': rowOf((values) => values.push(null)),
  'row-as-object': row(() => '{}'),
  'row-no-json': row(() => '['),
  'row-deep': row(() => `${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  'events-without-the-one-between': events((all) => all.filter((_, i) => i !== 2)),
  'events-reversed': events((all) => all.toReversed()),
  'events-twice': events((all) => all.flatMap((one) => [one, one])),
  'events-none': events(() => []),
};

const another = (size: number, root = log.root(size)) => checkpointText({ origin: keys.log.name, size, root });

const ofCheckpoints: Record<string, Change> = {
  'checkpoint-of-another-size': checkpoint(() => log.checkpoint(13)),
  'checkpoint-of-a-larger-size': checkpoint(() => log.checkpoint(17)),
  'checkpoint-smaller-than-the-events': checkpoint(() => log.checkpoint(5)),
  'checkpoint-of-size-zero': checkpoint(() => signed(another(0, log.root(SIZE)))),
  'checkpoint-of-an-empty-log': checkpoint(() => signed(another(0))),
  'checkpoint-size-changed': checkpoint((text) => text.replace(`\n${SIZE}\n`, '\n15\n')),
  'checkpoint-size-huge': checkpoint(() => signed(another(SIZE).replace(`\n${SIZE}\n`, '\n9007199254740993\n'))),
  'checkpoint-size-with-zero': checkpoint(() => signed(another(SIZE).replace(`\n${SIZE}\n`, `\n0${SIZE}\n`))),
  'checkpoint-size-with-sign': checkpoint(() => signed(another(SIZE).replace(`\n${SIZE}\n`, `\n+${SIZE}\n`))),
  'checkpoint-size-hexadecimal': checkpoint(() => signed(another(SIZE).replace(`\n${SIZE}\n`, '\n0xe\n'))),
  'checkpoint-root-changed': checkpoint(() => signed(another(SIZE, log.root(13)))),
  'checkpoint-root-short': checkpoint(() => signed(another(SIZE, Buffer.alloc(31)))),
  'checkpoint-root-with-unused-bits': checkpoint(() =>
    signed(another(SIZE).replace(/.=\n$/, (end) => `${nextOf(end[0] ?? '')}=\n`)),
  ),
  'checkpoint-with-extension': checkpoint(() => signed(`${another(SIZE)}more\n`)),
  'checkpoint-with-empty-line': checkpoint(() => signed(`${another(SIZE)}\n`)),
  'checkpoint-of-another-origin': checkpoint(() => signed(another(SIZE).replace('cms', 'other'))),
  'checkpoint-without-origin': checkpoint(() => signed(another(SIZE).replace('cms.example.org', ''))),
  'signature-none': checkpoint(() => `${another(SIZE)}\n`),
  'signature-only-of-witnesses': checkpoint(
    () => `${another(SIZE)}\n${cosignedBy(keys.one, another(SIZE))}${cosignedBy(keys.two, another(SIZE))}`,
  ),
  'signature-of-an-impostor': checkpoint(() => byOthers(signNote(another(SIZE), [keys.impostor]))),
  'signature-of-an-impostor-with-the-id': checkpoint(() =>
    byOthers(signNote(another(SIZE), [{ ...keys.impostor, id: keys.log.id }])),
  ),
  'signature-of-a-stranger': checkpoint(() => byOthers(signNote(another(SIZE), [keys.stranger]))),
  'signature-of-another-text': checkpoint(() =>
    byOthers(another(SIZE) + signNote(another(13), [keys.log]).slice(another(13).length)),
  ),
  'signature-twice': checkpoint(() => byOthers(signNote(another(SIZE), [keys.log, keys.log]))),
  'signature-true-and-false': checkpoint(() =>
    byOthers(signNote(another(SIZE), [keys.log, { ...keys.impostor, id: keys.log.id }])),
  ),
  'signature-without-bytes': checkpoint((text) => text.replace(/(— cms\S+ .{5}).*/, '$1A==')),
  'signatures-too-many': checkpoint((text) => text + `— elsewhere.example AAAAAAAA\n`.repeat(62)),
  'signature-line-without-dash': checkpoint((text) => text.replace('— cms', '- cms')),
  'signatures-without-newline': checkpoint((text) => text.slice(0, -1)),
  'cosignature-missing': checkpoint(() => signNote(another(SIZE), [keys.log]) + cosignedBy(keys.one, another(SIZE))),
  'cosignature-twice': checkpoint((text) => text + cosignedBy(keys.one, another(SIZE))),
  'cosignature-of-another-checkpoint': checkpoint(
    () => signNote(another(SIZE), [keys.log]) + cosignedBy(keys.one, another(SIZE)) + cosignedBy(keys.two, another(13)),
  ),
  'cosignature-of-another-time': checkpoint(() => {
    const [line = ''] = cosignedBy(keys.two, another(SIZE)).split('\n');
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64');
    bytes.writeBigUInt64BE(BigInt(someTime + 1), 4);
    const own = `— ${keys.two.name} ${toBase64(bytes)}\n`;
    return signNote(another(SIZE), [keys.log]) + cosignedBy(keys.one, another(SIZE)) + own;
  }),
  'cosignature-as-signature': checkpoint(
    () => signNote(another(SIZE), [keys.log, keys.two]) + cosignedBy(keys.one, another(SIZE)),
  ),
  'cosignature-in-the-name-of-another': checkpoint(
    () =>
      signNote(another(SIZE), [keys.log]) +
      cosignedBy(keys.one, another(SIZE)) +
      cosignedBy(keys.one, another(SIZE)).replace('/one', '/two'),
  ),
};

const earlier =
  (change: (before: NonNullable<ProofBundle['before']>) => object): Change =>
  (bundle) => ({
    ...bundle,
    before: bundle.before && { ...bundle.before, ...change(bundle.before) },
  });

const ofEarlier: Record<string, Change> = {
  'before-without-proof': earlier(() => ({ consistency: [] })),
  'before-proof-shorter': earlier(({ consistency }) => ({ consistency: consistency.slice(1) })),
  'before-proof-longer': earlier(({ consistency }) => ({ consistency: [...consistency, consistency[0]] })),
  'before-proof-reversed': earlier(({ consistency }) => ({ consistency: consistency.toReversed() })),
  'before-of-another-history': earlier(() => ({
    checkpoint: signNote(checkpointText({ origin: keys.log.name, size: 11, root: log.root(10) }), [keys.log]),
  })),
  'before-of-another-size': earlier(() => ({ checkpoint: signNote(checkpointOf(log, 12), [keys.log]) })),
  'before-unsigned': earlier(() => ({ checkpoint: signNote(checkpointOf(log, 11), [keys.stranger]) })),
  'before-of-another-log': earlier(() => ({
    checkpoint: signNote(checkpointText({ origin: 'elsewhere.example', size: 11, root: log.root(11) }), [
      keys.stranger,
    ]),
  })),
  'before-after': (bundle) => ({
    ...log.bundle(11, [3]),
    before: { checkpoint: log.checkpoint(17), consistency: bundle.before?.consistency ?? [] },
  }),
  'before-the-same-size-and-another-root': earlier(() => ({
    checkpoint: signNote(checkpointText({ origin: keys.log.name, size: 17, root: log.root(16) }), [keys.log]),
    consistency: [],
  })),
};

/** What a log could have signed, and no verifier can read. */
function ofLogs(): Record<string, ProofBundle> {
  const one = (data: string, text = '{}') => {
    const made = sampleLog([{ ...item(1, 'EntryCreated', {}), data, sealed: text }]);
    return made.bundle(1, [1], [1]);
  };
  const rows = (change: (row: string) => string) => sampleLog(undefined, change).bundle(17, [3, 5]);
  return {
    'log-data-names-a-member-twice': one('{"status":"draft","status":"publish"}'),
    'log-data-names-a-member-twice-below': one('{"a":[{"b":1,"b":2}]}'),
    'log-data-names-a-member-twice-with-escapes': one('{"status":"draft","\\u0073tatus":"publish"}'),
    'log-data-nested-too-deep': one(`{"a":${'['.repeat(600)}${']'.repeat(600)}}`),
    'log-data-no-object': one('[]'),
    'log-data-no-json': one('{'),
    'log-sealed-names-a-member-twice': one('{}', '{"title":"One","title":"Two"}'),
    'log-sealed-no-object': one('{}', '"title"'),
    'log-row-with-space': rows((text) => text.replace(',', ', ')),
    'log-row-longer': rows((text) => text.replace(/\]$/, ',null]')),
    'log-row-revision-as-text': rows((text) => text.replace(/("entry-12"),(\d)/, '$1,"$2"')),
    'log-row-revision-as-true': rows((text) => text.replace('"entry-12",1', '"entry-12",true')),
    'log-row-user-below-zero': rows((text) => text.replace('.000Z",1', '.000Z",-1')),
    'log-row-user-as-text': rows((text) => text.replace('.000Z",1', '.000Z","1"')),
    'log-row-data-as-object': rows((text) => text.replace(/"\{.*\}"/, '{}')),
    'log-stream-with-a-gap': gapped([3, 5], (text) => text.replace('"entry-12",2', '"entry-12",3')),
    'log-stream-with-a-fork': gapped([3, 5], (text) => text.replace('"entry-12",2', '"entry-12",1')),
    'log-positions-in-disorder': rows((text) => text.replace('event 1",3', 'event 1",4')),
  };
}

function gapped(positions: readonly number[], change: (row: string) => string): ProofBundle {
  const made: SampleLog = sampleLog(undefined, change);
  return made.bundle(17, positions);
}

/** Other texts of a proof that a reader of JSON could take for the same. */
function ofTexts(): Record<string, string | Uint8Array> {
  const text = encodeBundle(sample());
  const value = JSON.parse(text);
  const { sha256, ...rest } = value;
  const again = (changed: unknown, indent = 2) => `${JSON.stringify(changed, null, indent)}\n`;
  const firstRow = /\n {6}"row": .*\n/.exec(text)?.[0] ?? '';
  return {
    'text-empty': '',
    'text-null': 'null\n',
    'text-list': '[]\n',
    'text-cut': text.slice(0, text.length / 2),
    'text-no-json': text.replace('{', '('),
    'text-member-twice': text.replace(firstRow, firstRow + firstRow.slice(1)),
    'text-other-member-twice': text.replace(firstRow, firstRow.replace('entry-12', 'entry-13') + firstRow.slice(1)),
    'text-checkpoint-twice': text.replace('"checkpoint"', '"checkpoint": "",\n  "checkpoint"'),
    'text-other-format': text.replace('proof 1', 'proof 2'),
    'text-other-member': again({ ...value, more: '' }),
    'text-member-missing': again(rest),
    'text-other-order': again({ sha256, ...rest }),
    'text-minified': JSON.stringify(value),
    'text-other-indentation': again(value, 4),
    'text-windows-lines': text.replaceAll('\n', '\r\n'),
    'text-with-mark': `\ufeff${text}`,
    'text-without-newline': text.slice(0, -1),
    'text-with-more-newlines': `${text}\n`,
    'text-with-space-before': ` ${text}`,
    'text-with-escapes': text.replace('Second', '\\u0053econd'),
    'text-with-solidus-escaped': text.replace('T09', '\\/T09'),
    'text-other-checksum': text.replace(sha256, '0'.repeat(64)),
    'text-checksum-in-capitals': text.replace(sha256, sha256.toUpperCase()),
    'text-lone-surrogate': encodeBundle({ ...sample(), checkpoint: `\ud800${sample().checkpoint}` }),
    'text-no-utf8': Buffer.concat([Buffer.from(text.slice(0, 40)), Buffer.of(0xff), Buffer.from(text.slice(40))]),
    'text-number': again({ ...value, checkpoint: 1 }),
    'text-before-true': again({ ...value, before: true }),
    'text-before-missing-member': again({ ...value, before: { checkpoint: value.checkpoint } }),
    'text-sealed-empty': again({ ...value, events: [{ ...value.events[0], sealed: {} }] }),
    'text-events-as-object': again({ ...value, events: { ...value.events } }),
  };
}

/** The witnesses cosign whatever they are asked. */
function byOthers(note: string): string {
  const text = another(SIZE);
  return note + cosignedBy(keys.one, text) + cosignedBy(keys.two, text);
}

function nextOf(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet[alphabet.indexOf(letter) + 1] ?? 'B';
}
