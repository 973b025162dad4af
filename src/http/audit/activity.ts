import { codec } from '#catalogue/events.ts';
import { type Analytics, type AnalyticsEvent, analytics, maxDays } from '#domain/plugins/analytics/area.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type Html, html } from '#site/markup/html.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTime } from './times.ts';

/** Number of latest events shown individually. */
const latestShown = 20;
/** Maximum characters of an event's properties. */
const longest = 500;

export function activitySheet({ store: { reader, log } }: AuditCall): Sheet {
  const { days } = reader.plugin(analytics);
  const max = Math.max(1, ...days.map(totalOf));
  const main = html`<h1>Counted events</h1>
<p>What clients reported, on the last ${maxDays} days on which there was something.</p>
${days.length === 0 ? html`<p class="notice">Nothing has been counted yet.</p>` : table(days.toReversed(), max)}
${days.length === 0 ? null : latest(log, reader.site().timezone)}`;
  return { title: 'Counted events', depth: 0, main };
}

type Day = Analytics['days'][number];

function totalOf({ counts }: Day): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function table(days: readonly Day[], max: number): Html {
  return html`<table><thead><tr><th scope="col">Day</th><th scope="col">Events</th><th scope="col">Action</th></tr></thead><tbody>
${days.map((day) => row(day, max))}</tbody></table>`;
}

function row(day: Day, max: number): Html {
  const total = totalOf(day);
  const actions = Object.entries(day.counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return html`<tr><th scope="row">${day.day}</th><td><meter min="0" max="${max}" value="${total}" aria-label="${day.day}">${total}</meter> ${total}</td><td>${actions.map(
    ([action, count], i) => html`${i === 0 ? '' : ', '}${action} ${count}`,
  )}</td></tr>
`;
}

/** The latest events with their properties, which are empty once their user has been erased. */
function latest(log: Pick<EventStore, 'read'>, zone: string): Html {
  const stored = [...log.read({ stream: analytics.stream, direction: 'backwards', limit: latestShown })];
  return html`<section aria-labelledby="latest"><h2 id="latest">The latest</h2>
<table><thead><tr><th scope="col">Time</th><th scope="col">Action</th><th scope="col">Properties</th></tr></thead><tbody>
${stored.map((event) => told(event, zone))}</tbody></table></section>`;
}

function told(stored: StoredEvent, zone: string): Html | null {
  const { type, data } = codec.decode(stored) as AnalyticsEvent;
  if (type !== 'AnalyticsEventRecorded') return null;
  const properties = Object.entries(data.properties).map(([name, value]) => `${name}: ${shown(value)}`);
  return html`<tr><td>${fullTime(stored.at, zone)}</td><td>${data.action}</td><td>${properties.join(', ').slice(0, longest)}</td></tr>
`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
