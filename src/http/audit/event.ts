import { Leaps } from '#projections/audit/leaps.ts';
import { rawEvent } from '#projections/audit/raw.ts';
import { changeInWords, changesShown } from '#projections/audit/record.ts';
import { html } from '#text/html.ts';
import { actsByDay } from './acts.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { namesInTexts } from './words.ts';

/** Characters of a changed text that are shown in words; what is stored follows in full. */
const longest = 2000;

/** An event in words, and as it is stored; null if there is none at that position. */
export function eventSheet({ store, path, origins, make }: AuditCall): Sheet | null | Promise<Sheet | null> {
  const [, position = ''] = path;
  const { log, reader } = store;
  const [event] = /^[1-9]\d{0,14}$/.test(position) ? log.read({ from: Number(position), limit: 1 }) : [];
  if (event === undefined) return null;
  return make(() => {
    const names = namesInTexts(store);
    const zone = reader.site().timezone;
    const leaps = new Leaps(log, store.clock.tolerance);
    const changes = changesShown(event, { log, longest });
    const main = html`<p class="crumb">Position ${position} of the log</p>
<h1>One event</h1>
${actsByDay([event], { names, leaps, zone, depth: 1, originOf: origins?.originOf, log })}
${changes.length === 0 ? null : html`<section aria-labelledby="changed"><h2 id="changed">What it changed</h2><ul>${changes.map((change) => html`<li dir="auto">${changeInWords(change, names)}</li>\n`)}</ul></section>`}
<section aria-labelledby="raw"><h2 id="raw">As it is stored</h2>
<p class="fine">Sealed is what an erasure makes unreadable. Secrets are not shown.</p>
<pre>${JSON.stringify(rawEvent(event), null, 2)}</pre></section>`;
    return { title: `Event ${position}`, depth: 1, main };
  });
}
