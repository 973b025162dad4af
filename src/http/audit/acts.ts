import type { OriginOf } from '#domain/kernel/origin.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type Account, auditAccount, isSameAct } from '#projections/audit/account.ts';
import { theSystem } from '#projections/audit/filter.ts';
import { aheadInWords, type Leaps } from '#projections/audit/leaps.ts';
import type { AuditNames, Thing } from '#projections/audit/names.ts';
import { changeInWords, changesShown, type ShownChange } from '#projections/audit/record.ts';
import { briefly } from '#projections/audit/texts.ts';
import { type Html, html } from '#text/html.ts';
import { linker, queryOf } from './sheet.ts';
import { clockTime, dayInWords, dayOf } from './words.ts';

export interface ActsOptions {
  readonly names: AuditNames;
  readonly leaps: Leaps;
  readonly zone: string;
  readonly depth: number;
  /** Whether whoever looks may undo. */
  readonly undoes?: boolean;
  /** All events are about one item, which need not be named each time. */
  readonly ofOne?: boolean;
  readonly originOf: OriginOf | undefined;
  readonly log: Pick<EventStore, 'read'>;
  /** The field that was asked for; else short ones are shown. */
  readonly field?: string | undefined;
}

interface Told extends Account {
  readonly changes: readonly ShownChange[];
}

/** Characters of a value in a row. */
const longest = 90;
/** Their changes have a page of their own. */
const long = new Set(['content', 'excerpt', 'footnotes', 'caption']);

/** Events, the newest first, as one list per day; what one commit did to one item is one entry. */
export function actsByDay(events: readonly StoredEvent[], options: ActsOptions): Html {
  const { names, leaps, log: whole, field } = options;
  const log = briefly(whole);
  const accounts = events.map((event): Told => {
    const changes = changesShown(event, { log, longest, field }).filter(
      ({ name }) => name === field || !long.has(name),
    );
    return { ...auditAccount(event, names, leaps), changes };
  });
  const days = [...Map.groupBy(accounts, ({ at }) => dayOf(at, options.zone))];
  return html`${days.map(
    ([day, ofDay]) => html`<section class="day" aria-labelledby="day-${day}">
<h2 id="day-${day}">${dayInWords(day)}</h2>
<ol class="acts">
${together(ofDay).map((act) => actItem(act, options))}</ol>
</section>
`,
  )}`;
}

/** Links an item to its history, by its title, or by its kind if it has none. */
function thingLink({ stream, kind, id, title }: Thing, depth: number): Html {
  const name = [kind, id ?? ''].join(' ').trim();
  const text =
    title === '' ? html`${name}` : html`<strong dir="auto">${title}</strong> <span class="kind">${name}</span>`;
  return html`<a href="${linker(depth)(`things/${encodeURIComponent(stream)}`)}">${text}</a>`;
}

export function actorLink({ actor, who }: Pick<Account, 'actor' | 'who'>, depth: number): Html {
  if (actor === 0) return html`<span class="who">${who}</span>`;
  const query = queryOf({ user: actor === null ? theSystem : who.includes(' ') ? actor : who });
  return html`<a class="who" href="${linker(depth)('')}${query}">${who}</a>`;
}

type Act = readonly [Told, ...Told[]];

function together(accounts: readonly Told[]): Act[] {
  const acts: [Told, ...Told[]][] = [];
  for (const account of accounts) {
    const last = acts.at(-1);
    // Within a commit, events stay in their original order.
    if (last !== undefined && isSameAct(last[0], account)) last.unshift(account);
    else acts.push([account]);
  }
  return acts;
}

function actItem(act: Act, { zone, depth, ofOne = false, originOf, names, field, undoes = false }: ActsOptions): Html {
  const [first] = act;
  const to = linker(depth);
  const request = html`<a href="${to('')}${queryOf({ correlation: first.correlationId })}">${shortened(first.correlationId)}</a>`;
  const address = originOf?.({ position: first.end, correlationId: first.correlationId }) ?? null;
  const positions = act.map(({ position }) => position);
  return html`<li class="act">
<p class="time">${clockTime(first.at, zone)}${first.ahead === 0 ? null : html`<br><em class="ahead">${aheadInWords(first.ahead)}</em>`}</p>
<div><p class="about">${actorLink(first, depth)}${ofOne ? null : html` <span class="sep">·</span> ${thingLink(first.thing, depth)}`}</p>
<ul>${act.map((account) => html`<li>${sentence(account, to)}${changed(account, names, field)}</li>`)}</ul></div>
<div class="fine">${undoes ? html`<a href="${to('undo')}${queryOf({ commits: first.position })}">Undo…</a><br>` : null}${ofOne ? stood(act, to) : null}<details><summary>Details</summary>position <a href="${to(`log/${first.position}`)}">${positions.length === 1 ? first.position : `${first.position}–${positions.at(-1)}`}</a> <br>request ${request}${address === null ? null : html`<br>from ${address}`}<br>${[...new Set(act.map(({ type }) => type))].map((type) => html`<code>${type}</code> `)}</details></div>
</li>
`;
}

function stood(act: Act, to: (path: string) => string): Html | null {
  const [{ thing }] = act;
  if (!thing.stream.startsWith('entry-')) return null;
  const query = queryOf({ position: act.at(-1)?.position });
  return html`<a href="${to(`things/${thing.stream}/at`)}${query}">as it stood then</a><br>`;
}

function sentence({ what, hasTexts, erased, thing, revision }: Account, to: (path: string) => string): Html {
  const changes = html` <a class="more" href="${to(`things/${encodeURIComponent(thing.stream)}/changes`)}${queryOf({ to: revision })}">what changed<span class="hidden"> with revision ${revision} of ${thing.title || thing.kind}</span></a>`;
  return html`${what}${hasTexts ? changes : null}${erased ? html` <em class="erased">erased</em>` : null}`;
}

/** Values before and after; those that the sentence names already are left out. */
function changed({ changes, type, what }: Told, names: AuditNames, field: string | undefined): Html | null {
  const isNew = /^(?:Entry|Term)Created$|^MediaUploaded$|^UserAdded$/.test(type);
  const told = changes.filter(({ name, before, after }) => {
    const isFirst = before === '' && (isNew || (after !== null && what.includes(`“${after}”`)));
    return name === field || (name !== 'status' && !isFirst);
  });
  if (told.length === 0) return null;
  return html`<ul class="values">${told.map((change) => html`<li dir="auto">${changeInWords(change, names)}</li>`)}</ul>`;
}

function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…` : text;
}
