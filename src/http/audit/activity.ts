import { isRefusal } from '#domain/kernel/refusal.ts';
import { addSeconds } from '#domain/time/local.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { type Html, html } from '#text/html.ts';
import type { AuditStore } from './store.ts';
import { dayOf, namesInTexts } from './words.ts';

/** Days that are shown. */
const days = 30;
/** People with a colour of their own; all others share one. */
const most = 5;
const [width, height, step] = [600, 96, 20];

interface DayCount {
  readonly day: string;
  readonly byActor: ReadonlyMap<number | null, number>;
}

/** Events of the last days as a picture: a column for each day, in it a part for each person. */
export function activityChart(store: AuditStore): Html | null {
  const { log, reader, trail } = store;
  const zone = reader.site().timezone;
  const { at } = log.head();
  if (at === null) return null;
  const last = dayOf(at, zone);
  const counts = Array.from({ length: days }, (_, i): DayCount => {
    const day = addSeconds(`${last}T12:00:00`, (i - days + 1) * 86_400).slice(0, 10);
    const stretch = positionsOf({ from: day, to: day }, { log, zone });
    const actors = isRefusal(stretch) || stretch.high < stretch.low ? [] : trail.tally(stretch).actors;
    return { day, byActor: new Map(actors) };
  });
  const sums = new Map<number | null, number>();
  for (const { byActor } of counts)
    for (const [actor, count] of byActor) sums.set(actor, (sums.get(actor) ?? 0) + count);
  const people = [...sums].sort(([, a], [, b]) => b - a).map(([actor]) => actor);
  const named = people.slice(0, most);
  const totals = counts.map(({ byActor }) => [...byActor.values()].reduce((sum, count) => sum + count, 0));
  const top = Math.max(1, ...totals);
  const names = namesInTexts(store);
  const legend = named.map(
    (actor, i) => html`<li><span class="swatch p${i}"></span>${names.login(actor)} (${sums.get(actor) ?? 0})</li>`,
  );
  const rest = people.length > most ? html`<li><span class="swatch p${most}"></span>others</li>` : null;
  return html`<details class="activity"><summary>Activity of the last ${days} days, by day and person</summary>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Events on each of ${days} days up to ${last}; at most ${top} on a day">${counts.map((count, i) => column(count, { x: i * step, named, top }))}</svg>
<ul class="legend">${legend}${rest}</ul>
</details>
`;
}

interface ColumnPlace {
  readonly x: number;
  readonly named: readonly (number | null)[];
  /** Events of the highest column. */
  readonly top: number;
}

function column({ day, byActor }: DayCount, { x, named, top }: ColumnPlace): Html {
  let y = height;
  const ranked = [...byActor].map(([actor, count]) => {
    const rank = named.indexOf(actor);
    return { rank: rank === -1 ? most : rank, count };
  });
  const parts = ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ rank, count }) => {
      const size = (count / top) * height;
      y -= size;
      return html`<rect class="p${rank}" x="${x + 2}" y="${y.toFixed(1)}" width="${step - 4}" height="${size.toFixed(1)}"/>`;
    });
  return html`<g><title>${day}: ${ranked.reduce((sum, { count }) => sum + count, 0)}</title>${parts}</g>`;
}
