import type { ContactMessage } from '#domain/contact/area.ts';
import { messagesIn } from '#site/contact.ts';
import { csvLine } from '#text/csv.ts';
import { type Html, html } from '#text/html.ts';
import { type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTime } from './times.ts';

const perPage = 50;

export function messagesSheet({ store: { reader }, query }: AuditCall): Sheet {
  const all = messagesIn(reader);
  const before = /^\d{1,15}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : Number.POSITIVE_INFINITY;
  const older = all.filter(({ id }) => id < before);
  const shown = older.slice(0, perPage);
  const next = older.length > perPage ? (shown.at(-1)?.id ?? null) : null;
  const main = html`<h1>Messages</h1>
<p>${all.length === 1 ? '1 message' : `${all.length} messages`} from contact forms. ${all.length === 0 ? null : html`<a href="messages.csv" download>As a table (CSV)</a>`}</p>
${shown.map((message) => article(message, reader.site().timezone))}
${sheetNeighbours('Pages of this list', { newer: null, older: next }, ({ before: id }) => `messages?before=${id ?? ''}`)}`;
  return { title: 'Messages', depth: 0, main };
}

export function messagesTable({ store: { reader } }: AuditCall): string {
  const columns = ['id', 'date', 'form', 'name', 'email', 'subject', 'message', 'ip', 'agent'];
  const lines = messagesIn(reader).map(({ id, at, form, name, email, subject, message, ip, agent }) =>
    csvLine([id, at, form, name, email, subject, message, ip, agent]),
  );
  return csvLine(columns) + lines.join('');
}

function article({ id, at, form, name, email, subject, message }: ContactMessage, zone: string): Html {
  const heading = subject || 'Without a subject';
  return html`<article aria-labelledby="message-${id}"><h2 id="message-${id}">${heading}</h2>
<p class="fine">${fullTime(at, zone)}, by ${name || 'somebody who was erased'}${email === '' ? null : html`, <a href="mailto:${email}">${email}</a>`}, on <a href="things/entry-${form}">page ${form}</a></p>
${message.split('\n\n').map((part) => html`<p>${part}</p>\n`)}</article>
`;
}
