import { hash } from 'node:crypto';
import fc from 'fast-check';
import { encodeBundle, type ProofBundle } from '#proofs/bundle.ts';
import { checkpointText } from '#tlog/checkpoint.ts';
import { cosignerOf } from '#tlog/cosignature.ts';
import { COSIGNATURE, encodeVerifier, keyId, signatureLine, signNote, toBase64 } from '#tlog/note.ts';
import { leafHash, nodeHash } from '#tlog/tree.ts';
import { factor } from '../properties/factor.ts';
import { trueFieldProofs } from './field-proofs.ts';
import { forgeries } from './forgeries.ts';
import { checkpointOf, cosignedBy, item, keys, policyText, sampleLog, signed, trueProofs } from './sample-log.ts';

/** What all verifiers judge, and have to judge alike. */
export interface Case {
  readonly name: string;
  readonly file: Uint8Array;
  readonly policy: Uint8Array;
}

const policy = Buffer.from(policyText);
const log = sampleLog();

export function* cases(): Generator<Case> {
  for (const { name, text } of [...trueProofs(), ...trueFieldProofs()]) yield { name, file: Buffer.from(text), policy };
  for (const { name, file } of oddProofs()) yield { name, file, policy };
  for (const { name, file } of forgeries()) yield { name, file, policy };
  for (const { name, file } of damaged()) yield { name, file, policy };
  const [{ text } = { text: '' }] = trueProofs();
  yield ofAnotherKind();
  yield continuingAnother();
  for (const other of policies()) yield { name: other.toString(), file: Buffer.from(text), policy: other };
}

/** Proofs that hold, at the edges of the rules. */
function* oddProofs(): Generator<{ readonly name: string; readonly file: Uint8Array }> {
  const bundle = log.bundle(14, [8], [8]);
  const odd = (name: string, more: string) => {
    return { name, file: Buffer.from(encodeBundle({ ...bundle, checkpoint: bundle.checkpoint + more })) };
  };
  yield odd('with a signature of a stranger', unknown('stranger'));
  yield odd('with a signature of a stranger that is empty', unknown('stranger', 0));
  yield odd('with a line without its end', unknown('stranger').trimEnd());
  yield odd('with the most signatures', unknown('stranger').repeat(61));
  yield odd('with a name of a stranger that has a mark of byte order', unknown('stran\ufeffger'));
  yield odd('with a name of a stranger that has a next line', unknown('stran\u0085ger'));
  yield odd('with a name of a stranger that has a control character', unknown('stran\u0001ger'));
  yield odd('with a name of a stranger that has a wide space', unknown('stran\u3000ger'));
  yield odd('with a signature in another alphabet', unknown('stranger').replace(/\S+\n$/, 'AAAAAAA_\n'));
  yield* [ofAnotherFormat(), ofSize(2n ** 53n - 1n), ofSize(2n ** 53n), ofSize(2n ** 53n + 1n)];
  const leaf = sampleLog().bundle(1, [1]);
  for (const change of [
    { checkpoint: 1 },
    { before: true },
    { before: [] },
    { events: [{ ...leaf.events[0], proof: '' }] },
  ]) {
    const odd: object = { ...leaf, ...change };
    const file = Buffer.from(encodeBundle(odd as ProofBundle));
    yield { name: `with another kind of ${Object.keys(change)}`, file };
  }
  yield { name: 'in disorder, of two streams', file: Buffer.from(encodeBundle(log.bundle(14, [5, 4]))) };
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  for (const data of [
    nested(600),
    nested(601),
    '{"a":1e999}',
    `{"a":${'9'.repeat(5000)}}`,
    '{"a":NaN}',
    '{"a":-0.0}',
  ]) {
    const made = sampleLog([{ ...item(1, 'EntryCreated', {}), data, sealed: data }]);
    yield { name: `with data ${data.slice(0, 20)}`, file: Buffer.from(encodeBundle(made.bundle(1, [1], [1]))) };
  }
  for (const data of [
    '{"a":"\\ud800"}',
    '{"__proto__":1,"a":{"__proto__":2}}',
    '{"a":1}\t',
    '\ufeff{}',
    '{"a":"\\u0000:{"}',
  ]) {
    const made = sampleLog([{ ...item(1, 'EntryCreated', {}), data, sealed: data }]);
    yield { name: `with data ${JSON.stringify(data)}`, file: Buffer.from(encodeBundle(made.bundle(1, [1], [1]))) };
  }
  for (const time of [0, 253_402_300_799, 253_402_300_800]) {
    const text = checkpointOf(log, 14);
    const note = signNote(text, [keys.log]) + cosignedBy(keys.one, text, time) + cosignedBy(keys.two, text);
    yield { name: `cosigned at ${time}`, file: Buffer.from(encodeBundle({ ...bundle, checkpoint: note })) };
  }
  for (const [from, to] of [
    [',1,"EntryCreated"', ',9007199254740992,"EntryCreated"'],
    [',1,"request-3"', ',-1,"request-3"'],
    [',1,"request-3"', ',0,"request-3"'],
    [',1,"request-3"', ',null,"request-3"'],
    ['"entry-12",1,', '"entry-12",0,'],
    ['"event-3"', '""'],
    ['"event-3"', '"\\ud800"'],
    ['"event-3"', '"\\u001f"'],
    ['"event-3"', '"\\u001F"'],
    ['"event-3"', '"\u2028\u007f"'],
    ['"event-3"', 'true'],
    [/"[0-9a-f]{64}"\]$/, '""]'],
    [/"[0-9a-f]{64}"\]$/, '"null"]'],
  ] as const) {
    const made = sampleLog(undefined, (row) => row.replace(from, to));
    yield { name: `with ${to} for ${from}`, file: Buffer.from(encodeBundle(made.bundle(14, [3]))) };
  }
}

/** A proof of the first event of a log that is too large to be made: all other hashes of its tree are the same. */
function ofSize(size: bigint) {
  const { row } = log.event(1, false, 1);
  const proof: Buffer[] = [];
  let root = leafHash(hash('sha256', row, 'buffer'));
  for (let left = size - 1n; left > 0n; left >>= 1n) {
    proof.push(Buffer.alloc(32, 7));
    root = nodeHash(root, Buffer.alloc(32, 7));
  }
  const text = checkpointText({ origin: keys.log.name, size: 0, root }).replace('\n0\n', `\n${size}\n`);
  const events = [{ row, sealed: null, proof: proof.map(toBase64) }];
  return {
    name: `of a log of ${size}`,
    file: Buffer.from(encodeBundle({ checkpoint: signed(text), before: null, events })),
  };
}

/** Another format, with the checksum of it. */
function ofAnotherFormat() {
  const { sha256: _, ...value } = { ...JSON.parse(encodeBundle(log.bundle(14, [8]))), format: 'palimpsest proof 2' };
  const textOf = (one: object) => `${JSON.stringify(one, null, 2)}\n`;
  return { name: 'of another format', file: Buffer.from(textOf({ ...value, sha256: hash('sha256', textOf(value)) })) };
}

/** The earlier checkpoint is of another log that the policy names as well. */
function continuingAnother(): Case {
  const text = checkpointText({ origin: keys.stranger.name, size: 14, root: log.root(14) });
  const before = { checkpoint: signNote(text, [keys.stranger]), consistency: [] };
  const file = Buffer.from(encodeBundle({ ...log.bundle(14, [8]), before }));
  const rules = Buffer.from(`${policyText}log ${encodeVerifier(keys.stranger)}\n`);
  return { name: 'that continues another log', file, policy: rules };
}

/** A log that signs with a time, as witnesses do. */
function ofAnotherKind(): Case {
  const timed = cosignerOf(keys.log);
  const checkpoint = cosignedBy(keys.log, checkpointOf(log, 14));
  const note = `${checkpointOf(log, 14)}\n${checkpoint}`;
  const file = Buffer.from(encodeBundle({ ...log.bundle(14, [8]), checkpoint: note }));
  const rules = Buffer.from(`log ${encodeVerifier(timed, COSIGNATURE)}\nquorum none`);
  return { name: 'of a log that signs with a time', file, policy: rules };
}

function unknown(name: string, length = 64): string {
  return signatureLine({ name, id: 1, bytes: Buffer.alloc(length) });
}

/** Flips of one bit, and changes of one character of a text with the checksum made anew. */
function damaged(): { readonly name: string; readonly file: Uint8Array }[] {
  const proofs = fc.constantFrom(...trueProofs());
  const flips = fc.tuple(proofs, fc.nat(), fc.nat(7)).map(([{ name, text }, at, bit]) => {
    const file = Buffer.from(text);
    const place = at % file.length;
    file[place] = (file[place] ?? 0) ^ (1 << bit);
    return { name: `${name} with bit ${bit} of byte ${place} flipped`, file };
  });
  const changes = fc.tuple(proofs, fc.nat(), fc.integer({ min: 1, max: 127 })).map(([{ name, text }, at, by]) => {
    const { format: _, sha256: __, ...bundle } = JSON.parse(text);
    const whole = JSON.stringify(bundle);
    const inner = [...whole.matchAll(/[A-Za-z0-9+/=]/g)].map(({ index }) => index);
    const place = inner[at % inner.length] ?? 0;
    const changed = whole.slice(0, place) + String.fromCharCode(whole.charCodeAt(place) ^ by) + whole.slice(place + 1);
    const made = asJson(changed);
    return {
      name: `${name} with character ${place} changed by ${by}`,
      file: Buffer.from(made === null ? '' : encodeBundle(made)),
    };
  });
  const many = Math.ceil(120 * factor);
  return [...fc.sample(flips, many), ...fc.sample(changes, many)];
}

function asJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function* policies(): Generator<Buffer> {
  const [logLine = '', one = '', two = ''] = policyText.split('\n').filter((line) => /^(log|witness)/.test(line));
  const lines = (...more: readonly string[]) => Buffer.from([logLine, one, two, ...more].join('\n'));
  for (const rules of [
    ['quorum none', 'quorum one', 'quorum two\n', 'quorum three', 'quorum', 'quorum one two', 'quorum one\nquorum one'],
    [
      'group a any one two\nquorum a',
      'group a 2 one two\nquorum a',
      'group a 3 one two\nquorum a',
      'group a 0 one\nquorum a',
    ],
    [
      'group a 01 one\nquorum a',
      'group a +1 one\nquorum a',
      'group a 1 one\n\t group  b\tall a two \nquorum b',
      'group a any\nquorum a',
    ],
    [
      'group a any one one\nquorum a',
      'group a any one\ngroup b any one\nquorum b',
      'group a any none\nquorum a',
      'group none any one\nquorum none',
    ],
    [
      'group one any two\nquorum one',
      'group a any a\nquorum a',
      'group a any one\nquorum none',
      'quorum a\ngroup a any one',
      'quorums none',
    ],
    [
      '# \x7f\nquorum none',
      '# \r\nquorum none',
      'quorums none\nquorum none',
      '',
      '# Grüße\nquorum none',
      ' #\nquorum none',
      'quorum none\r\n',
      'quorum\u00a0none',
      '\ufeffquorum none',
      'quorum none\0',
      'QUORUM none',
    ],
    [
      `${logLine}\nquorum none`,
      `${one.replace('one', 'three')}\nquorum none`,
      'group __proto__ all one two\nquorum __proto__',
    ],
    [
      'group constructor any one\nquorum constructor',
      'quorum toString',
      'group a any toString\nquorum a',
      'group a 99999999999 one\nquorum a',
    ],
  ].flat()) {
    yield lines(rules);
  }
  yield Buffer.from('');
  yield Buffer.from(`${one}\nquorum one`);
  yield Buffer.concat([lines('quorum none\n# caf'), Buffer.of(0xe9)]);
  yield Buffer.from(policyText.replace('https:', 'two addresses https:'));
  yield Buffer.from(policyText.replace('+6bacf8d0', '+6BACF8D0'));
  yield Buffer.from(policyText.replace('+6bacf8d0', '+6bacf8d1'));
  yield Buffer.from(policyText.replace(/ (\S+\+e15503c9)/, ' x$1'));
  yield lines(`witness three ${encodeVerifier(keys.stranger)}`, 'quorum none');
  yield Buffer.from(`${policyText}log ${encodeVerifier(keys.stranger)}\n`);
  yield Buffer.from(`${policyText}log ${encodeVerifier(keys.impostor)}\n`);
  yield Buffer.from(
    `log ${encodeVerifier({ ...keys.log, id: keyId(keys.log.name, COSIGNATURE, keys.log.publicKey) }, COSIGNATURE)}\nquorum none`,
  );
  const others = { name: 'other.example', publicKey: Buffer.alloc(1312, 7) };
  const unchecked = encodeVerifier({ ...others, id: keyId(others.name, 6, others.publicKey) }, 6);
  for (const rules of ['quorum pq', 'group a any pq one\nquorum a', 'group a all pq one\nquorum a']) {
    yield lines(`witness pq ${unchecked}`, rules);
  }
  yield Buffer.from(`log ${unchecked}\nquorum none`);
}

/** Key, message and signature: points of small order, another S, keys that are no points. */
export function edges(): (readonly [Buffer, Buffer, Buffer])[] {
  const small = ['00', '01', 'ec', 'ed', 'ee'].map((first) => {
    return Buffer.from(first < 'ec' ? first.padEnd(64, '0') : `${first}${'ff'.repeat(30)}7f`, 'hex');
  });
  small.push(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'));
  small.push(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'));
  const signed = small.flatMap((point) => [
    point,
    Buffer.concat([point.subarray(0, 31), Buffer.of((point[31] ?? 0) | 0x80)]),
  ]);
  const message = Buffer.from('A message\n');
  const zeros = Buffer.alloc(32);
  const line = signNote(message.toString(), [keys.log]).split(' ').at(-1) ?? '';
  const signature = Buffer.from(line, 'base64').subarray(4);
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const { publicKey } = keys.log;
  const key = Buffer.from(publicKey);
  return [
    ...signed.flatMap((a) => signed.map((point) => [a, message, Buffer.concat([point, zeros])] as const)),
    ...signed.map((point) => [key, message, Buffer.concat([point, s])] as const),
    [key, message, signature],
    [key, message, Buffer.concat([r, plusOrder(s)])],
    [key, message, signature.subarray(0, 63)],
    [key, message, Buffer.concat([signature, Buffer.of(0)])],
    [key, Buffer.from('Another'), signature],
    [Buffer.from('02'.padEnd(64, '0'), 'hex'), message, signature],
    // A key and an R with a part of small order, which only a verifier without cofactor takes; then one that only another would take.
    ...[
      '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    ].map(
      (text) =>
        [
          Buffer.from('cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d', 'hex'),
          Buffer.from('9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79', 'hex'),
          Buffer.from(text, 'hex'),
        ] as const,
    ),
    ...[
      '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    ].map(
      (text) =>
        [
          Buffer.from('cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d', 'hex'),
          Buffer.from('e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c', 'hex'),
          Buffer.from(text, 'hex'),
        ] as const,
    ),
  ];
}

function plusOrder(s: Uint8Array): Buffer {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const number = BigInt(`0x${Buffer.from(s).reverse().toString('hex')}`) + order;
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
}
