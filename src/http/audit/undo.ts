import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Viewer } from '#domain/user/roles.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { type Html, html } from '#text/html.ts';
import { readSmallForm, textField } from '../server/intake.ts';
import { type PageReply, seeOther } from '../server/page-reply.ts';
import { auditReply, noticeReply } from './answer.ts';
import { isOwnForm, type RestoreOptions, sendFormWrite } from './restore.ts';
import { linker, queryOf } from './sheet.ts';
import { undoFilters, undone, valueInBrief } from './undone.ts';
import { fullTime } from './words.ts';

const names = ['commits', ...undoFilters] as const;
type Meant = Readonly<Partial<Record<(typeof names)[number], string>>>;
type Plan = z.infer<typeof undone>;

interface Asked {
  readonly id: string;
  readonly viewer: Viewer;
  readonly account: string | undefined;
  /** For the form. */
  readonly token: string;
}

/** Shows what an undo would do, with a button that does it, with the rights of whoever is logged in. */
export function createUndo(options: RestoreOptions) {
  const { store, intake } = options;
  return async (request: IncomingMessage, asked: Asked): Promise<PageReply> => {
    const { url = '', method } = request;
    const shown = { url, store, account: asked.account };
    if (method !== 'POST') return planPage(request, asked, options);
    const sent = await readSmallForm(request, intake);
    if (!isOwnForm(request, textField(sent, 'token'), options)) {
      return noticeReply('The form was too old or came from elsewhere. Please go back and try again', 403, shown);
    }
    const meant = meantBy((name) => textField(sent, name));
    const body = { ...bodyOf(meant), conflicts: textField(sent, 'conflicts') === 'skip' ? 'skip' : 'refuse' };
    const { status, message } = await sendFormWrite({ path: 'history/undo', body }, { request, asked, options });
    return status < 400 ? seeOther('./') : noticeReply(`Nothing was undone: ${message}`, status, shown);
  };
}

function meantBy(sent: (name: string) => string | null): Meant {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = (sent(name) ?? '').trim();
      return value === '' ? [] : [[name, value]];
    }),
  );
}

function bodyOf({ commits, ...filter }: Meant): Readonly<Record<string, unknown>> {
  return commits === undefined ? filter : { commits: commits.split(',').map(Number) };
}

async function planPage(request: IncomingMessage, asked: Asked, options: RestoreOptions): Promise<PageReply> {
  const { url = '' } = request;
  const { store } = options;
  const shown = { url, store, account: asked.account };
  const { searchParams } = new URL(url, 'http://site.invalid');
  const meant = meantBy((name) => searchParams.get(name));
  const body = { ...bodyOf(meant), dry_run: true };
  const { status, answer, message } = await sendFormWrite({ path: 'history/undo', body }, { request, asked, options });
  if (status >= 400) return noticeReply(`This cannot be undone: ${message}`, status, shown);
  const plan = undone.parse(answer);
  const zone = store.reader.site().timezone;
  const main = html`<h1>Undo</h1>
${commitsOf(plan, zone)}
${formOf(plan, { meant, token: asked.token })}
<h2 id="items">What becomes of what</h2>
${plan.items.length === 0 ? html`<p class="notice">All is as it was before.</p>` : html`<ul class="acts">${plan.items.map(itemOf)}</ul>`}`;
  return auditReply({ title: 'Undo', depth: 0, main }, '', shown);
}

function commitsOf({ commits }: Plan, zone: string): Html {
  const [first] = commits;
  const last = commits.at(-1);
  if (first === undefined || last === undefined) return html``;
  const who = [...new Set(commits.map(({ user }) => user.name))];
  const span =
    commits.length === 1
      ? fullTime(first.time, zone)
      : html`${fullTime(first.time, zone)} to ${fullTime(last.time, zone)}`;
  return html`<p>${commits.length === 1 ? 'One change' : `${commits.length} changes`} by ${who.slice(0, 5).join(', ')}${who.length > 5 ? ' and others' : ''}, ${span}. It is one act, in the history like all others, and can be undone itself.</p>`;
}

function formOf({ left, items, conflicts }: Plan, { meant, token }: { meant: Meant; token: string }): Html | null {
  const fields = Object.entries(meant).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const label = left === 0 ? 'Undo this' : 'Undo the rest';
  const isNothing = items.every((item) => item.left);
  const warning =
    left === 0
      ? null
      : html`<p role="alert" class="notice">${left === 1 ? 'One change stays' : `${left} changes stay`}, because something is in the way.</p>
${conflicts.length === 0 ? null : html`<ul>${conflicts.map(({ message }) => html`<li>${message}</li>`)}</ul>`}`;
  if (isNothing) return warning;
  return html`${warning}<form class="restore" method="post" action="undo"><input type="hidden" name="token" value="${token}">${fields}<input type="hidden" name="conflicts" value="${left === 0 ? 'refuse' : 'skip'}"><button>${label}</button></form>`;
}

const acts: Readonly<Record<Plan['items'][number]['act'], string>> = {
  change: 'becomes what it was',
  delete: 'is deleted',
  create: 'comes back',
  none: 'stays as it is',
};

function itemOf({ stream, kind, id, title, act, left, fields, conflicts }: Plan['items'][number]): Html {
  const name = [kind, id ?? ''].join(' ').trim();
  const link = linker(0)(`things/${encodeURIComponent(stream)}`);
  return html`<li class="act"><p class="time">${name}</p>
<div><p class="about"><a href="${link}"><strong dir="auto">${title || name}</strong></a> ${left ? acts.none : acts[act]}</p>
${act === 'change' ? html`<ul class="values">${fields.map(fieldOf)}</ul>` : null}
${conflicts.length === 0 ? null : html`<ul>${conflicts.map(({ message, by }) => html`<li>${message}${by === null ? null : html` By <a href="./${queryOf({ stream })}">${by.user.name}</a>.`}</li>`)}</ul>`}</div>
<div class="fine"></div></li>
`;
}

function fieldOf({ name, now, earlier }: Plan['items'][number]['fields'][number]): Html {
  return html`<li dir="auto">${inWords(name)}: <del>${valueInBrief(now, 120)}</del> → <ins>${valueInBrief(earlier, 120)}</ins></li>`;
}
