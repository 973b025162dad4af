import { type HtmlContent, html, type PageCall, type PluginHtml, type PluginPage } from 'palimpsest/plugin';
import { type Analytics, analytics, maxDays } from './area.ts';

/** Number of latest events shown individually. */
const latestShown = 20;
/** Maximum characters of an event's properties. */
const longest = 500;

export const countedEvents: PluginPage = {
  path: 'events',
  title: 'Counted events',
  show(call) {
    const { model } = call;
    const { days } = model.document(analytics);
    const max = Math.max(1, ...days.map(totalOf));
    return html`<h1>Counted events</h1>
<p>What clients reported, on the last ${maxDays} days on which there was something.</p>
${days.length === 0 ? html`<p class="notice">Nothing has been counted yet.</p>` : table(days.toReversed(), max)}
${days.length === 0 ? null : latest(call)}`;
  },
};

type Day = Analytics['days'][number];

function totalOf({ counts }: Day): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function table(days: readonly Day[], max: number): PluginHtml {
  return html`<table><thead><tr><th scope="col">Day</th><th scope="col">Events</th><th scope="col">Action</th></tr></thead><tbody>
${days.map((day) => row(day, max))}</tbody></table>`;
}

function row(day: Day, max: number): PluginHtml {
  const total = totalOf(day);
  const actions = Object.entries(day.counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return html`<tr><th scope="row">${day.day}</th><td><meter min="0" max="${max}" value="${total}" aria-label="${day.day}">${total}</meter> ${total}</td><td>${actions.map(
    ([action, count], i) => html`${i === 0 ? '' : ', '}${action} ${count}`,
  )}</td></tr>
`;
}

/** The latest events with their properties, which are empty once their user has been erased. */
function latest({ time, ...call }: PageCall): PluginHtml {
  const rows = call.latest(analytics, latestShown).map(({ at, event: { type, data } }): HtmlContent => {
    if (type !== 'AnalyticsEventRecorded') return null;
    const properties = Object.entries(data.properties).map(([name, value]) => `${name}: ${shown(value)}`);
    return html`<tr><td>${time(at)}</td><td>${data.action}</td><td>${properties.join(', ').slice(0, longest)}</td></tr>
`;
  });
  return html`<section aria-labelledby="latest"><h2 id="latest">The latest</h2>
<table><thead><tr><th scope="col">Time</th><th scope="col">Action</th><th scope="col">Properties</th></tr></thead><tbody>
${rows}</tbody></table></section>`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
