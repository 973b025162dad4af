import { codec } from '#catalogue/events.ts';
import { pluginReader } from '#commands/plugin-model.ts';
import type { ContactMessage } from '#domain/contact/area.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { loadedPlugins } from '#plugin/loaded.ts';
import type { PluginPage } from '#plugin/pages.ts';
import type { AuditNames } from '#projections/audit/names.ts';
import { messagesIn } from '#site/contact.ts';
import { type Html, html } from '#text/html.ts';
import type { PageReply } from '../server/page-reply.ts';
import { actorLink } from './acts.ts';
import { compareSheet } from './compare.ts';
import { daySheet } from './day.ts';
import { auditFileAt, tableLink } from './files.ts';
import { healthSheet } from './health.ts';
import { eventSheet, thingSheet } from './item.ts';
import { pastSheet } from './past.ts';
import { publicSheet } from './public.ts';
import { type AuditSection, type Sheet, sheetDocument, sheetNeighbours, stylePolicy } from './sheet.ts';
import type { AuditCall, AuditStore } from './store.ts';
import { timelineSheet } from './timeline.ts';
import { blameSheet, versionsSheet } from './versions.ts';
import { fullTime, namesInTexts } from './words.ts';

interface Page {
  /** Path below the root. */
  readonly pattern: RegExp;
  readonly section: AuditSection;
  readonly sheet: (call: AuditCall) => Sheet | null | Promise<Sheet | null>;
}

/** Path of the audit pages. */
const auditRoot = '/cms-audit';

const headers = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${stylePolicy}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  // Without a referrer, browsers would not name the origin of forms.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const pluginPages: readonly PluginPage[] = loadedPlugins.flatMap(({ pages }) => pages);

const pages: readonly Page[] = [
  { pattern: /^$/, section: '', sheet: timelineSheet },
  { pattern: /^day$/, section: 'day', sheet: daySheet },
  { pattern: /^messages$/, section: 'messages', sheet: messagesSheet },
  { pattern: /^health$/, section: 'health', sheet: healthSheet },
  { pattern: /^public$/, section: 'public', sheet: publicSheet },
  { pattern: /^logins$/, section: 'logins', sheet: loginsSheet },
  { pattern: /^log\/\d+$/, section: '', sheet: eventSheet },
  { pattern: /^things\/[^/]+$/, section: '', sheet: thingSheet },
  { pattern: /^things\/[^/]+\/blame$/, section: '', sheet: blameSheet },
  { pattern: /^things\/[^/]+\/versions$/, section: '', sheet: versionsSheet },
  { pattern: /^things\/[^/]+\/changes$/, section: '', sheet: compareSheet },
  { pattern: /^things\/[^/]+\/at$/, section: 'day', sheet: pastSheet },
  ...pluginPages.map((page) => ({
    pattern: new RegExp(`^${page.path}$`),
    section: page.path,
    sheet: (call: AuditCall) => pluginSheet(page, call),
  })),
];

const perPage = 50;

/** The page that an administrator requests; `url` is the target in the request line. */
export async function answerAudit(
  url: string,
  { account, ...parts }: Omit<AuditCall, 'path' | 'query'> & Pick<ShownSheet, 'account'>,
): Promise<PageReply> {
  const shown = { store: parts.store, account };
  const { pathname, searchParams: query } = new URL(url, 'http://site.invalid');
  const path = pathname.slice(auditRoot.length + 1);
  const call = { ...parts, path: path.split('/').map(decoded), query };
  const file = await auditFileAt(path, call);
  if (file !== undefined) return fileReply(file, call, { url, ...shown });
  const found = pathname.startsWith(`${auditRoot}/`) ? pages.find(({ pattern }) => pattern.test(path)) : undefined;
  const made = await found?.sheet(call);
  return made
    ? auditReply(made, found?.section ?? null, shown)
    : noticeReply('No such page or item', 404, { url, ...shown });
}

/** A table or proof to keep; a page if there is none. */
function fileReply(
  made: Exclude<Awaited<ReturnType<typeof auditFileAt>>, undefined>,
  call: AuditCall,
  shown: ShownFile,
): PageReply {
  if (made === null) return noticeReply('No such page or item', 404, shown);
  if (isRefusal(made)) return noticeReply(made.message, 400, shown);
  if ('main' in made) return auditReply(made, null, shown);
  const kept = (type: string, others: Readonly<Record<string, string>>, body: readonly string[]) => ({
    status: 200,
    headers: { ...headers, 'Content-Type': type, ...others },
    body,
  });
  if ('text' in made)
    return kept('application/json', { 'Content-Disposition': `attachment; filename="${made.name}"` }, [made.text]);
  const next = made.next ? { Link: `<?${nextQuery(call.query, made.next)}>; rel="next"` } : {};
  return kept('text/csv; charset=UTF-8; header=present', next, made.lines);
}

function nextQuery(query: URLSearchParams, before: number): string {
  const next = new URLSearchParams(query);
  next.set('before', String(before));
  return next.toString();
}

type ShownFile = ShownSheet & { readonly url: string };

export function noticeReply(title: string, status: number, { url, ...shown }: ShownFile): PageReply {
  return auditReply({ title, depth: depthOf(url), main: html`<h1>${title}</h1>`, status }, null, shown);
}

export interface ShownSheet {
  readonly store: AuditStore;
  readonly account?: string | undefined;
}

export function auditReply(sheet: Sheet, section: AuditSection, { store, account }: ShownSheet): PageReply {
  return {
    status: sheet.status ?? 200,
    headers: sheet.refresh === undefined ? headers : { ...headers, Refresh: String(sheet.refresh) },
    body: sheetDocument(sheet, section, { site: store.reader.site(), account }),
  };
}

export function depthOf(url: string): number {
  return Math.max(0, url.replace(/\?.*/s, '').split('/').length - 3);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function pluginSheet({ title, show }: PluginPage, { store: { reader, log } }: AuditCall): Sheet {
  const zone = reader.site().timezone;
  const main = show({
    model: pluginReader(reader),
    time: (at) => fullTime(at, zone),
    latest: ({ stream }, limit) =>
      [...log.read({ stream, direction: 'backwards', limit })].map((stored) => ({
        at: stored.at,
        event: codec.decode(stored) as never,
      })),
  });
  return { title, depth: 0, main: html`${main}` };
}

function messagesSheet({ store: { reader }, query }: AuditCall): Sheet {
  const all = messagesIn(reader);
  const before = /^\d{1,15}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : Number.POSITIVE_INFINITY;
  const older = all.filter(({ id }) => id < before);
  const shown = older.slice(0, perPage);
  const next = older.length > perPage ? (shown.at(-1)?.id ?? null) : null;
  const main = html`<h1>Messages</h1>
<p>${all.length === 1 ? '1 message' : `${all.length} messages`} from contact forms. ${all.length === 0 ? null : html`${tableLink('messages.csv')}`}</p>
${shown.map((message) => article(message, reader.site().timezone))}
${sheetNeighbours('Pages of this list', { newer: null, older: next }, ({ before: id }) => `messages?before=${id ?? ''}`)}`;
  return { title: 'Messages', depth: 0, main };
}

function article({ id, at, form, name, email, subject, message }: ContactMessage, zone: string): Html {
  const heading = subject || 'Without a subject';
  return html`<article aria-labelledby="message-${id}"><h2 id="message-${id}">${heading}</h2>
<p class="fine">${fullTime(at, zone)}, by ${name || 'somebody who was erased'}${email === '' ? null : html`, <a href="mailto:${email}">${email}</a>`}, on <a href="things/entry-${form}">page ${form}</a></p>
${message.split('\n\n').map((part) => html`<p>${part}</p>\n`)}</article>
`;
}

/** Rows on the page; the interface and the command have all of them. */
const mostLogins = 200;

/** How often people logged in, and in vain, by day and account; and where to find what concerns accounts in the log. */
function loginsSheet({ store }: AuditCall): Sheet {
  const names = namesInTexts(store);
  const all = store.logins.all();
  const rows = all.slice(0, mostLogins).map(({ day, user, succeeded, failed }) => {
    const who = user === 0 ? 'no account of that name' : actorLink({ actor: user, who: names.login(user) }, 0);
    return html`<tr><td>${day}</td><th scope="row">${who}</th><td>${succeeded}</td><td>${failed}</td></tr>\n`;
  });
  const main = html`<h1>Log-ins</h1>
<p>How often people logged in by a form, and how often a password or token was wrong, by day (UTC) and account. They are counted at this node, beside the log, and kept for 400 days. ${tableLink('logins.csv')}</p>
${
  all.length === 0
    ? html`<p class="notice">Nobody has logged in yet.</p>`
    : html`<div class="wide" tabindex="0" role="region" aria-label="Table of log-ins"><table>
<thead><tr><th scope="col">Day</th><th scope="col">Account</th><th scope="col">Logged in</th><th scope="col">In vain</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`
}
${readingsTable(store, names)}
<section aria-labelledby="accounts"><h2 id="accounts">What concerns accounts in the log</h2>
<ul class="chips"><li><a href="./?type=UserPasswordIssued">Application passwords made</a></li><li><a href="./?type=UserTokenIssued">Tokens made</a></li><li><a href="./?type=UserPasswordRevoked">Passwords and tokens withdrawn</a></li><li><a href="./?type=UserSecretSet">Passwords set</a></li><li><a href="./?type=UserRoleChanged">Roles</a></li><li><a href="./?type=UserDisabled,UserEnabled">Accounts disabled or enabled</a></li><li><a href="./?type=UserLastDaySet">Last days of accounts</a></li><li><a href="./?type=UserDeleted,UserErased">Accounts deleted or erased</a></li><li><a href="./?stream=site">Settings of the site</a></li></ul></section>`;
  return { title: 'Log-ins', depth: 0, main };
}

/** What auditors read; nothing if nobody is one, or has read anything. */
function readingsTable({ readings, reader }: AuditStore, names: AuditNames): Html | null {
  const all = readings.all();
  if (all.length === 0) return null;
  const zone = reader.site().timezone;
  const rows = all.slice(0, mostLogins).map(({ user, route, item, at, times }) => {
    const who = actorLink({ actor: user, who: names.login(user) }, 0);
    const last = fullTime(new Date(at).toISOString(), zone);
    return html`<tr><td>${last}</td><th scope="row">${who}</th><td>${item}</td><td>${route}</td><td>${times}</td></tr>\n`;
  });
  return html`<section aria-labelledby="readings"><h2 id="readings">What auditors read</h2>
<p>Each address that an auditor has read, by day, with the last time. It is noted at this node, beside the log, and kept as long as the addresses of writes.</p>
<div class="wide" tabindex="0" role="region" aria-label="Table of what auditors read"><table>
<thead><tr><th scope="col">Last time</th><th scope="col">Auditor</th><th scope="col">Address</th><th scope="col">Route</th><th scope="col">Times that day</th></tr></thead>
<tbody>
${rows}</tbody></table></div></section>`;
}
