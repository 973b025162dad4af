import { type Analytics, analytics, mostDays } from '#domain/plugins/analytics/area.ts';
import { type Html, html } from '../pages/html.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';

export function activitySheet({ store: { reader } }: AuditCall): Sheet {
  const { days } = reader.plugin(analytics);
  const most = Math.max(1, ...days.map(totalOf));
  const main = html`<h1>Counted events</h1>
<p>What clients reported, on the last ${mostDays} days on which there was something.</p>
${days.length === 0 ? html`<p class="notice">Nothing has been counted yet.</p>` : table(days.toReversed(), most)}`;
  return { title: 'Counted events', depth: 0, main };
}

type Day = Analytics['days'][number];

function totalOf({ counts }: Day): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function table(days: readonly Day[], most: number): Html {
  return html`<table><thead><tr><th scope="col">Day</th><th scope="col">Events</th><th scope="col">Action</th></tr></thead><tbody>
${days.map((day) => row(day, most))}</tbody></table>`;
}

function row(day: Day, most: number): Html {
  const total = totalOf(day);
  const actions = Object.entries(day.counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return html`<tr><th scope="row">${day.day}</th><td><meter min="0" max="${most}" value="${total}" aria-label="${day.day}">${total}</meter> ${total}</td><td>${actions.map(
    ([action, count], i) => html`${i === 0 ? '' : ', '}${action} ${count}`,
  )}</td></tr>
`;
}
