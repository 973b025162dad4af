import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { snake } from '#projections/audit/fields.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { type Html, html } from '#text/html.ts';
import { statusOf } from '../message/problem.ts';
import { queryOf, type Sheet } from './sheet.ts';
import type { AuditCall, ProofSubject } from './store.ts';

/** Streams whose history can be proved as a whole. */
const provable = /^(?:entry|media|comment)-\d{1,15}$/;

export interface AuditProofFile {
  readonly name: string;
  readonly text: string;
}

/** A proof as a file, or a page that says why there is none; null if nothing can be proved at that address. */
export function proofFile({ path, query, store }: AuditCall): AuditProofFile | Sheet | Refusal | null {
  const subject = subjectOf({ path, query, store });
  if (subject === null || isRefusal(subject)) return subject;
  const made = store.prove({ ...subject, password: false, also: query.get('open_also') === 'true' });
  if (!isRefusal(made)) return { name: `${nameOf(subject)}.proof.json`, text: made };
  return refusedSheet(made, subject, query);
}

/** Leads to the proof of an item; null if there is none of its kind. */
export function proveLink(
  stream: string,
  here: string,
  of: { readonly position?: number | string | null; readonly field?: string } = {},
  label = 'Prove this',
): Html | null {
  if (!provable.test(stream)) return null;
  const field = of.field === undefined ? undefined : snake(of.field);
  return html`<a class="button" href="${here}${queryOf({ position: of.position, field })}">${label}</a>`;
}

function subjectOf({
  path: [area = '', name = ''],
  query,
  store: { log, reader },
}: Pick<AuditCall, 'path' | 'query' | 'store'>): ProofSubject | Refusal | null {
  const last = log.head().position;
  if (area === 'log') return { event: Number(name) };
  if (query.get('erasure') === 'true') return /^[\w-]{1,80}$/.test(name) ? { erasure: name } : null;
  if (!provable.test(name)) return null;
  if (query.get('public') === 'true') {
    const [from, to] = ['from', 'to'].map((edge) => query.get(edge) || undefined);
    const period = positionsOf({ from, to }, { log, zone: reader.site().timezone });
    return isRefusal(period) ? period : { stream: name, ...period };
  }
  const given = query.get('position') ?? '';
  const isHistory = !/^\d{1,15}$/.test(given);
  return { stream: name, field: query.get('field') || null, isHistory, position: isHistory ? last : Number(given) };
}

function nameOf(subject: ProofSubject): string {
  if ('event' in subject) return `event-${subject.event}`;
  if ('erasure' in subject) return `erasure-${subject.erasure}`;
  if ('low' in subject) return `${subject.stream}-public`;
  const { stream, field, isHistory, position } = subject;
  return [stream, field?.replaceAll(/[^\w-]/g, ''), isHistory ? null : position].filter((part) => part).join('-');
}

function refusedSheet({ code, message }: Refusal, subject: ProofSubject, query: URLSearchParams): Sheet {
  const agreed = `proof${queryOf({ ...Object.fromEntries(query), open_also: 'true' })}`;
  const next =
    code === 'proof_opens_password'
      ? html`<p>A proof with a password is made by the command: <code>prove ${commandOf(subject)} --open-password</code></p>`
      : code === 'proof_opens_more'
        ? html`<p><a class="button" href="${agreed}">Make it nevertheless</a></p>`
        : null;
  const said = code.startsWith('proof_opens') ? message.replace(/ With open_\w+=true it is made\.$/, '') : message;
  const main = html`<h1>No proof was made</h1>\n<p role="alert" class="notice">${said}</p>\n${next}`;
  return { title: 'No proof was made', depth: 2, main, status: statusOf({ code }, anonymous) };
}

function commandOf(subject: ProofSubject): string {
  if ('event' in subject) return `event ${subject.event} --open`;
  if ('erasure' in subject) return `erasure ${subject.erasure}`;
  if ('low' in subject) return `${subject.stream.replace('-', ' ')} --public --texts`;
  const { stream, field, isHistory, position } = subject;
  return `${stream.replace('-', ' ')}${field === null ? '' : ` --field ${field}`}${isHistory ? '' : ` --at ${position}`}`;
}
