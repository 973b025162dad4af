import { type Html, html } from '../pages/html.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTime } from './times.ts';

/** How log and projections are. */
export function healthSheet({ store: { log, reader, health } }: AuditCall): Sheet {
  const head = log.head();
  const { version, position, hash, unindexed, unsaved } = health();
  const behind = head.position - position;
  const zone = reader.site().timezone;
  const main = html`<h1>Health</h1>
<section aria-labelledby="log"><h2 id="log">The log</h2>
<p>The head hash stands for the whole history: written down elsewhere, it shows later that nothing before was altered.</p>
<dl class="facts">
${fact('Events', count(head.position))}${fact('Last one', head.at === null ? 'none yet' : fullTime(head.at, zone))}
${fact('Head hash', html`<code class="hash">${head.hash}</code>`)}
</dl></section>
<section aria-labelledby="projections"><h2 id="projections">The projections</h2>
<p class="verdict">${behind === 0 ? '✓ They show all of the log.' : `… They are ${count(behind)} events behind and catch up.`}</p>
<dl class="facts">
${fact('Shown up to position', count(position))}${fact('Version', String(version))}
${fact('Hash at that position', html`<code class="hash">${hash}</code>`)}
</dl></section>
<section aria-labelledby="search"><h2 id="search">The search index</h2>
<p class="verdict">${unindexed === 0 ? '✓ All texts are indexed.' : `… ${count(unindexed)} texts wait to be indexed. They are found all the same, only more slowly.`}</p>
<dl class="facts">${fact('Changes since it was written down', count(unsaved))}</dl></section>`;
  return { title: 'Health', depth: 0, main };
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
}

function count(n: number): string {
  return n.toLocaleString('en');
}
