import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosign, cosignerOf, verifiedCosignatures } from '../src/cosignature.ts';
import { BadNote, COSIGNATURE, encodeVerifier, keyId, newSigner, parseNote, parseVkey, signNote } from '../src/note.ts';
import { BadPolicy, hasWitnessed, organisationsOf, parsePolicy } from '../src/policy.ts';

// The example of C2SP tlog-cosignature.
const example = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const text = 'log.example\n1\nAAAA\n';
const log = newSigner('log.example');
const witnesses = ['one', 'two', 'three', 'four'].map((name) => newSigner(`${name}.example`));
const vkeys = witnesses.map((key) => encodeVerifier(cosignerOf(key), COSIGNATURE));
const lines = (...more: readonly string[]) =>
  [`log ${encodeVerifier(log)}`, ...vkeys.map((vkey, i) => `witness w${i} ${vkey}`), ...more].join('\n');
const parse = (policy: string) => parsePolicy(Buffer.from(policy));

describe('a cosignature', () => {
  it('says when a witness saw a checkpoint', () => {
    const [witness = log, other = log] = witnesses.map(cosignerOf);
    const note = signNote(text, [log]) + cosign(text, witness, 1_800_000_000);
    expect(verifiedCosignatures(parseNote(note), [witness, other])).toEqual([{ key: witness, time: 1_800_000_000 }]);
    const twice = parseNote(note + cosign(text, witness, 1_800_000_001));
    expect(() => verifiedCosignatures(twice, [witness])).toThrow(BadNote);
    const ofAnother = parseNote(signNote(text, [log]) + cosign('log.example\n2\nAAAA\n', witness, 1_800_000_000));
    expect(() => verifiedCosignatures(ofAnother, [witness])).toThrow(BadNote);
    expect(verifiedCosignatures(ofAnother, [other])).toEqual([]);
  });

  it('has the time of the example of its specification', () => {
    const { signatures } = parseNote(example);
    expect(signatures.map(({ bytes }) => bytes.length)).toEqual([64, 72]);
    expect(Buffer.from(signatures[1]?.bytes ?? []).readBigUInt64BE(0)).toBe(1_679_315_147n);
  });

  it('is refused after any change of one bit', () => {
    const [witness = log] = witnesses.map(cosignerOf);
    const line = Buffer.from(cosign(text, witness, 1_800_000_000).split(' ')[2] ?? '', 'base64');
    const property = fc.property(fc.nat(line.length - 1), fc.nat(7), (place, bit) => {
      const bytes = Buffer.from(line);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      const note = parseNote(`${text}\n— ${witness.name} ${bytes.toString('base64')}\n`);
      if (place < 4) expect(verifiedCosignatures(note, [witness])).toEqual([]);
      else expect(() => verifiedCosignatures(note, [witness])).toThrow(BadNote);
    });
    fc.assert(property);
  });
});

describe('a policy', () => {
  it('asks for as many of each group as it says', () => {
    const policy = parse(
      lines('group a 2 w0 w1 w2', '# Comment', '\t group  b any\tw3 ', 'group c all a b', '', 'quorum c'),
    );
    const has = (...names: string[]) => hasWitnessed(policy.quorum ?? '', policy, new Set(names));
    expect([has(), has('w0', 'w3'), has('w0', 'w1'), has('w0', 'w2', 'w3'), has('c')]).toEqual([
      ...[false, false, false, true, false],
    ]);
    expect(organisationsOf(policy)).toEqual(['a', 'b']);
  });

  it('counts as organisations what stands directly under the quorum', () => {
    expect(organisationsOf(parse(lines('quorum w1')))).toEqual(['w1']);
    expect(organisationsOf(parse(lines('group a any w0 w1', 'quorum none')))).toEqual(['a', 'w2', 'w3']);
    expect(organisationsOf(parse(lines('group a any w0 w1', 'group b 1 a w2', 'quorum b')))).toEqual(['a', 'w2']);
  });

  it('keeps keys of other algorithms, which are not checked', () => {
    const made = Buffer.concat([Buffer.of(6), Buffer.alloc(1312, 7)]).toString('base64');
    expect(() => parseVkey(`other.example+00000000+${made}`)).toThrow(BadNote);
    const id = keyId('other.example', 6, Buffer.alloc(1312, 7)).toString(16).padStart(8, '0');
    const policy = parse(lines(`witness pq other.example+${id}+${made}`, 'quorum pq'));
    expect(policy.witnesses.get('pq')?.type).toBe(6);
  });

  it('may have comments in any encoding, and addresses', () => {
    const policy = Buffer.concat([
      Buffer.from(`${lines()} https://one.example/\n# caf`),
      Buffer.of(0xe9, 0x0a),
      Buffer.from('quorum none'),
    ]);
    expect(parsePolicy(policy).witnesses.size).toBe(4);
  });

  it.each([
    ['no quorum', lines()],
    ['two quorums', lines('quorum none', 'quorum none')],
    ['no log', `witness w ${vkeys[0]}\nquorum w`],
    ['an unknown word', lines('quorums none')],
    ['a log with too much', `log ${encodeVerifier(log)} a b\nquorum none`],
    ['the key of a log twice', lines(`log ${encodeVerifier(log)}`, 'quorum none')],
    ['the key of a witness twice', lines(`witness other ${vkeys[0]}`, 'quorum none')],
    ['the key of a log for a witness', lines(`witness other ${encodeVerifier(newSigner('a'))}`, 'quorum none')],
    ['a name twice', lines('group w0 any w1', 'quorum none')],
    ['a reserved name', lines('group none any w1', 'quorum none')],
    ['a member twice', lines('group a any w1 w1', 'quorum none')],
    ['a member of two groups', lines('group a any w1', 'group b any w1', 'quorum none')],
    ['a member that comes later', lines('group a any b', 'group b any w1', 'quorum a')],
    ['a quorum that comes later', lines('quorum a', 'group a any w1')],
    ['a group without members', lines('group a any', 'quorum none')],
    ['a threshold of zero', lines('group a 0 w1', 'quorum none')],
    ['a threshold with zeros', lines('group a 01 w1', 'quorum none')],
    ['a threshold above its members', lines('group a 2 w1', 'quorum none')],
    ['the member none', lines('group a any none', 'quorum none')],
    ['Windows lines', `${lines()}\r\nquorum none\r\n`],
    ['a damaged key', `${lines().replace('log.example+', 'log.example+0')}\nquorum none`],
  ])('with %s is refused', (_, policy) => {
    expect(() => parse(policy)).toThrow(BadPolicy);
  });
});
