import { createHmac } from 'node:crypto';
import { secretPrefix } from '#commands/hooks.ts';
import { contact } from '#domain/contact/area.ts';
import type { Hook, HookFilter } from '#domain/hooks/area.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { tagsOfChanges } from '#text/cache-tags.ts';
import { asciiJson } from '#text/json.ts';
import { messagesResource } from '../feed/facts.ts';
import type { Change, VisibleCommit } from '../feed/visible.ts';

/** A message in the format of Standard Webhooks: the same at each attempt, except for time and signature. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** Identifies a message. Once a hook is set back to an earlier position (`round`), the same changes are another message. */
export interface MessagePlace {
  readonly site: string;
  readonly hook: number;
  readonly round: number;
  readonly from: number;
  readonly to: number;
}

export interface ToldChange extends Change {
  /** What a visitor wrote in a contact form. */
  readonly message?: {
    readonly form: number;
    readonly date: string;
    readonly name: string;
    readonly email: string;
    readonly subject: string;
    readonly message: string;
  };
}

export interface ToldCommit extends VisibleCommit {
  readonly changes: readonly ToldChange[];
}

export function changesMessage(place: MessagePlace, url: string, commits: readonly ToldCommit[]): Message {
  const { site, hook, round, from, to } = place;
  const tags = tagsOfChanges(
    commits.flatMap(({ changes }) => changes),
    collections,
  );
  const data = { site: url, hook, position: to, tags, commits };
  const body = asciiJson({ type: 'site.changed', timestamp: commits.at(-1)?.at ?? '', data });
  return { id: `msg_${site}_${hook}_${round}_${from}_${to}`, body };
}

export function testMessage(hook: number, url: string, now: number): Message {
  const timestamp = new Date(now).toISOString();
  return {
    id: `msg_test_${hook}_${now}`,
    body: asciiJson({ type: 'hook.test', timestamp, data: { site: url, hook } }),
  };
}

/** Collections of terms. */
const collections: ReadonlySet<string> = new Set(allTermKinds.map(({ base }) => base));

/** Milliseconds for which messages are also signed with the secret that was replaced. */
const formerFor = 86_400_000;

/** The headers of one attempt, at a time in milliseconds since 1970. */
export function signedHeaders(
  { id, body }: Message,
  { secret, former }: Pick<Hook, 'secret' | 'former'>,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const isFormer = former !== null && former.secret !== '' && now - Date.parse(former.at) < formerFor;
  const secrets = isFormer ? [secret, former.secret] : [secret];
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((one) => `v1,${signature(`${id}.${timestamp}.${body}`, one)}`).join(' '),
  };
}

function signature(text: string, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}

/** Adds personal data only for hooks that name this resource. Changes of messages are visible only to users who may read messages. */
export function withMessages(commit: VisibleCommit, { resources }: HookFilter, model: Model): ToldCommit {
  if (!resources.includes(messagesResource)) return commit;
  return { ...commit, changes: commit.changes.map((change) => withMessage(change, model)) };
}

function withMessage(change: Change, model: Model): ToldChange {
  const kept = change.resource === messagesResource ? model.plugin(contact, String(change.id)).message : null;
  // It has been deleted or erased since.
  if (kept === null || kept.name === '') return change;
  const { form, at, name, email, subject, message } = kept;
  return { ...change, message: { form, date: at, name, email, subject, message } };
}
