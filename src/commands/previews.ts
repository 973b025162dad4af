import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IssuedPreview, type PreviewEvent, previews } from '#domain/preview/area.ts';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { isClosedNow } from './credentials.ts';
import { stageIn } from './plugins.ts';
import { makeSecret } from './secret.ts';
import type { Session } from './session.ts';
import { isSame as isToken, tokenDigest } from './tokens.ts';

/** Seconds for which the link of an autosave is valid after it was saved. */
const lifetime = 2 * 24 * 60 * 60;
/** A signature, and what it signs: the time in seconds since 1970 and the user. */
const NONCE = /^([0-9a-f]{32})(([0-9a-f]{8})([0-9a-f]{1,12}))$/;

interface Preview {
  readonly entry: number;
  /** When the autosave was saved, UTC. */
  readonly savedGmt: string;
}

/**
 * What a preview link contains instead of a login: who was given it, until when it is valid, and a signature by the credential that the user
 * had logged in with. It is valid for this entry alone, and ends with the credential. In hex, as clients of the family expect.
 */
export function previewNonce({ entry, savedGmt }: Preview, viewer: Viewer, model: Model): string {
  const user = model.user(viewer.id);
  const key = user?.passwords.find(({ id }) => id === viewer.password)?.digest ?? user?.secret ?? '';
  if (key === '') return '0';
  const until = Math.floor(Date.parse(`${savedGmt}Z`) / 1000) + lifetime;
  const content = until.toString(16).padStart(8, '0') + viewer.id.toString(16);
  return signatureOf(content, entry, key) + content;
}

/** The user whose preview of an entry a nonce shows; null if it is not, or no longer, valid. `now`: milliseconds since 1970. */
export function previewerOf(
  nonce: string,
  entry: number,
  { model, now }: { model: Model; now: number },
): Viewer | null {
  const [, signature = '', content = '', until = '', id = ''] = NONCE.exec(nonce) ?? [];
  const user = model.user(Number.parseInt(id, 16));
  if (user === undefined || isClosedNow(user, model, now) || Number.parseInt(until, 16) * 1000 <= now) return null;
  const isValid = keysOf(user).some((key) => isSame(signature, signatureOf(content, entry, key)));
  return isValid ? viewerOf(user) : null;
}

function keysOf({ secret, passwords }: Pick<User, 'secret' | 'passwords'>): readonly string[] {
  return [...passwords.map(({ digest }) => digest), ...(secret === '' ? [] : [secret])];
}

function signatureOf(content: string, entry: number, key: string): string {
  return createHmac('sha256', key).update(`preview ${entry} ${content}`).digest('hex').slice(0, 32);
}

function isSame(some: string, other: string): boolean {
  return some.length === other.length && timingSafeEqual(Buffer.from(some), Buffer.from(other));
}

/** A token that shows something without an account: its number, and what only its holder knows. */
const TOKEN = /^p([1-9]\d{0,8})\.([0-9a-f]{64})$/;

/** Whether a text has the form of what a link or a token of a preview contains. */
export function isPreviewToken(text: string): boolean {
  return TOKEN.test(text) || NONCE.test(text);
}

/** Makes a preview. Returns its number and, only this once, its token. */
export function issuePreview(
  session: Session,
  wanted: Pick<IssuedPreview, 'item' | 'release' | 'at' | 'until'>,
): { readonly preview: number; readonly token: string } {
  const preview = session.plugin(previews).last + 1;
  const secret = makeSecret();
  const data = { preview, by: session.viewer?.id ?? 0, ...wanted, digest: tokenDigest(secret) };
  stageIn(session, previews, [{ type: 'PreviewIssued', data }]);
  return { preview, token: `p${preview}.${secret}` };
}

export function withdrawPreview(session: Session, preview: number): void {
  const withdrawn: PreviewEvent = { type: 'PreviewWithdrawn', data: { preview } };
  stageIn(session, previews, [withdrawn]);
}

/** The previews that still show something. `now`: milliseconds since 1970. */
export function openPreviews(model: Model, now: number): readonly IssuedPreview[] {
  const all = [...model.plugins(previews).values()].flatMap(({ issued }) => issued ?? []);
  return all.filter(({ until }) => Date.parse(until) > now).sort((a, b) => b.preview - a.preview);
}

/** What a token shows; null if it shows nothing, or nothing any more, as after its maker's account was closed. */
export function previewOf(token: string, model: Model, now: number): IssuedPreview | null {
  const [, number = '', secret = ''] = TOKEN.exec(token) ?? [];
  const { issued } = model.plugin(previews, number);
  if (number === '' || issued === null || !isToken(issued, secret)) return null;
  const user = model.user(issued.by);
  const isOpen = user !== undefined && !user.erased && !isClosedNow(user, model, now);
  return isOpen && Date.parse(issued.until) > now ? issued : null;
}
