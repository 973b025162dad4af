import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';

/** Signature types (C2SP signed-note): Ed25519 over the text, and over the text with the time of a cosignature. */
export const ED25519 = 1;
export const COSIGNATURE = 4;
/** Bytes before the 32 of an Ed25519 key in DER. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** `\s` would take U+FEFF for a space, and U+0085 for none. */
const NAME = /^[^\p{White_Space}+]+$/u;
/** Signatures that a note may have: a bound on what is checked. */
const MAX_SIGNATURES = 64;
/** Ordinates of the points of small order, as keys have them: such a key has signed everything. OpenSSL refuses them since 3.5.8. */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** A key that is trusted to sign notes. */
export interface VerifierKey {
  readonly name: string;
  /** The first four bytes of a hash over name, type and public key: a hint, no identity. */
  readonly id: number;
  readonly publicKey: Uint8Array;
}

export interface TypedKey extends VerifierKey {
  /** Signature type. */
  readonly type: number;
}

/** A key that signs notes. */
export interface SignerKey extends VerifierKey {
  readonly privateKey: KeyObject;
}

export class BadNote extends Error {
  override readonly name = 'BadNote';
}

export interface Note {
  /** With the newline at its end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Makes an Ed25519 key. `name` must not have spaces or `+`. */
export function newSigner(name: string): SignerKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return signerOf(name, seedOf(privateKey));
}

/** The secret of a key as text: `PRIVATE+KEY+<name>+<id>+<base64 of type and seed>`. */
export function encodeSigner({ name, id, privateKey }: SignerKey): string {
  return encodeSecret({ name, id }, ED25519, seedOf(privateKey));
}

/** The text of a secret of any signature type. */
export function encodeSecret({ name, id }: Pick<SignerKey, 'name' | 'id'>, type: number, secret: Uint8Array): string {
  return ['PRIVATE', 'KEY', name, hex(id), toBase64(Buffer.concat([Buffer.of(type), secret]))].join('+');
}

/** What the text of a secret says. Throws `BadNote`. */
export function secretIn(text: string): { name: string; id: number; type: number; secret: Uint8Array } {
  const [, name = '', id = '', encoded = ''] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim()) ?? [];
  const bytes = fromBase64(encoded);
  const [type] = bytes ?? [];
  if (bytes === null || type === undefined) throw new BadNote('this is no key for notes');
  return { name, id: Number.parseInt(id, 16), type, secret: bytes.subarray(1) };
}

/** Throws `BadNote`. */
export function parseSigner(text: string): SignerKey {
  const { name, id, type, secret } = secretIn(text);
  if (type !== ED25519 || secret.length !== 32) throw new BadNote('this is no key for notes');
  const key = signerOf(name, secret);
  if (key.id !== id) throw new BadNote('the key does not fit its name');
  return key;
}

/** The id of a key of a signature type. Throws `BadNote` for a name that no key can have. */
export function keyId(name: string, type: number, publicKey: Uint8Array): number {
  if (!NAME.test(name)) throw new BadNote('the name of a key has no spaces and no +');
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey]);
  return hash('sha256', named, 'buffer').readUInt32BE(0);
}

/** A public key as text (`vkey`): `<name>+<id>+<base64 of type and key>`. */
export function encodeVerifier({ name, id, publicKey }: VerifierKey, type = ED25519): string {
  return [name, hex(id), toBase64(Buffer.concat([Buffer.of(type), publicKey]))].join('+');
}

/** Throws `BadNote`. */
export function parseVerifier(text: string): VerifierKey {
  const { type, ...key } = parseVkey(text);
  if (type !== ED25519) throw new BadNote('this is no public key of Ed25519');
  return key;
}

/** Parses a public key of any signature type. Throws `BadNote`. */
export function parseVkey(text: string): TypedKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim()) ?? [];
  const bytes = fromBase64(encoded);
  const [type] = bytes ?? [];
  const isEd25519 = type === ED25519 || type === COSIGNATURE;
  if (bytes === null || type === undefined || bytes.length < 2 || (isEd25519 && bytes.length !== 33)) {
    throw new BadNote('this is no public key');
  }
  const publicKey = bytes.subarray(1);
  const key = { name, id: keyId(name, type, publicKey), type, publicKey };
  if (hex(key.id) !== id) throw new BadNote('the public key does not fit its name');
  return key;
}

/** Signs a text, which must end with a newline. */
export function signNote(text: string, keys: readonly SignerKey[]): string {
  if (!text.endsWith('\n')) throw new BadNote('the text of a note ends with a newline');
  const lines = keys.map((key) =>
    signatureLine({ name: key.name, id: key.id, bytes: signBytes(null, Buffer.from(text), key.privateKey) }),
  );
  return `${text}\n${lines.join('')}`;
}

export function signatureLine({ name, id, bytes }: NoteSignature): string {
  return `— ${name} ${toBase64(Buffer.concat([idBytes(id), bytes]))}\n`;
}

/** Parses a note without checking its signatures. Throws `BadNote`. */
export function parseNote(note: string): Note {
  if (CONTROL.test(note) || !note.isWellFormed()) throw new BadNote('a note is text without control characters');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new BadNote('a note has a text, an empty line and signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new BadNote(`a note has at most ${MAX_SIGNATURES} signatures`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

/**
 * The keys among `trusted` that signed a note. Signatures of other keys are ignored. Throws `BadNote` when one that claims to be of a
 * trusted key is false, or two are of the same key.
 */
export function verifiedKeys<K extends VerifierKey>({ text, signatures }: Note, trusted: readonly K[]): K[] {
  const found: K[] = [];
  for (const { name, id, bytes } of signatures) {
    const key = trusted.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    if (found.includes(key)) throw new BadNote(`the note is signed twice by ${name}`);
    if (!isSignedBy(key, Buffer.from(text), bytes)) {
      throw new BadNote(`the signature of ${name} is false`);
    }
    found.push(key);
  }
  return found;
}

/** The one canonical base64 form of bytes; null for anything else. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return toBase64(bytes) === text ? bytes : null;
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!NAME.test(name) || bytes === null || bytes.length < 5) throw new BadNote('a signature of the note is malformed');
  return { name, id: bytes.readUInt32BE(0), bytes: bytes.subarray(4) };
}

function signerOf(name: string, seed: Uint8Array): SignerKey {
  const der = Buffer.concat([PRIVATE_PREFIX, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicDer = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { ...verifierOf(name, publicDer.subarray(PUBLIC_PREFIX.length)), privateKey };
}

function verifierOf(name: string, publicKey: Uint8Array): VerifierKey {
  return { name, id: keyId(name, ED25519, publicKey), publicKey };
}

function seedOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'pkcs8' }).subarray(PRIVATE_PREFIX.length);
}

/** Whether a signature of Ed25519 holds: without cofactor, and without points of small order, whatever OpenSSL this is. */
export function isSignedBy({ publicKey }: Pick<VerifierKey, 'publicKey'>, message: Uint8Array, signature: Uint8Array) {
  if (isOfSmallOrder(publicKey) || isOfSmallOrder(signature.subarray(0, 32))) return false;
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verifyBytes(null, message, key, signature);
}

function isOfSmallOrder(point: Uint8Array): boolean {
  const ordinate = Buffer.from(point);
  ordinate[31] = (ordinate[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(ordinate.toString('hex'));
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}

function hex(id: number): string {
  return id.toString(16).padStart(8, '0');
}
