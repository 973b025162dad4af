import { type Html, html } from '../pages/html.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall, RebuildShown } from './store.ts';
import { fullTime } from './times.ts';

/** How log and projections are. */
export function healthSheet({ store }: AuditCall): Sheet {
  const { log, reader, rebuilding } = store;
  const head = log.head();
  const { version, position, hash, unindexed, unsaved } = store.health();
  const behind = head.position - position;
  const zone = reader.site().timezone;
  const rebuild = rebuildPart(rebuilding.state, zone);
  const isRebuilding = rebuilding.state.task !== null;
  // Who comes while one is under way comes for that.
  const main = html`<h1>Health</h1>
${isRebuilding ? rebuild : null}
<section aria-labelledby="log"><h2 id="log">The log</h2>
<p>The head hash stands for the whole history: written down elsewhere, it shows later that nothing before was altered.</p>
<dl class="facts">
${fact('Events', count(head.position))}${fact('Last one', head.at === null ? 'none yet' : fullTime(head.at, zone))}
${fact('Head hash', html`<code class="hash">${head.hash}</code>`)}
</dl></section>
<section aria-labelledby="projections"><h2 id="projections">The projections</h2>
<p class="verdict">${behind === 0 ? '✓ They show all of the log.' : `… They are ${count(behind)} ${behind === 1 ? 'event' : 'events'} behind and catch up.`}</p>
<dl class="facts">
${fact('Shown up to position', count(position))}${fact('Version', String(version))}
${fact('Hash at that position', html`<code class="hash">${hash}</code>`)}
</dl></section>
<section aria-labelledby="search"><h2 id="search">The search index</h2>
<p class="verdict">${unindexed === 0 ? '✓ All texts are indexed.' : `… ${count(unindexed)} texts wait to be indexed. They are found all the same, only more slowly.`}</p>
<dl class="facts">${fact('Changes since it was written down', count(unsaved))}</dl></section>
${isRebuilding ? null : rebuild}`;
  return { title: 'Health', depth: 0, main };
}

/** A rebuild that is under way, or how the last one ended; null when there has been none. */
function rebuildPart({ task, startedAt, ended }: RebuildShown, zone: string): Html | null {
  if (startedAt === null) return null;
  const began = fact('Began', fullTime(startedAt, zone));
  const body =
    task === null
      ? html`<p class="verdict">${endings[ended?.outcome ?? ''] ?? 'It has ended.'}</p>
<dl class="facts">${began}${fact('Took', `${Math.round(ended?.seconds ?? 0)} seconds`)}${ended?.fault ? fact('Fault', ended.fault) : null}</dl>`
      : html`<p class="verdict"><label for="rebuild-progress">… ${task.name}: ${amountOf(task)}</label></p>
<p><progress id="rebuild-progress"${task.total === 0 ? null : html` max="${task.total}" value="${task.done}"`}></progress> <a href="health#rebuild">Look again</a></p>
<dl class="facts">${began}</dl>`;
  return html`<section aria-labelledby="rebuild"><h2 id="rebuild">The rebuild</h2>
<p>The site serves all the while.</p>
${body}</section>`;
}

const endings: Readonly<Record<string, string>> = {
  replaced: '✓ The new projections serve now.',
  compared: '✓ The new projections were compared with the live ones, which stayed.',
  stopped: 'It was stopped; the live projections stayed.',
  failed: '✗ It failed; the live projections stayed.',
};

function amountOf({ done, total, unit }: NonNullable<RebuildShown['task']>): string {
  return total === 0 ? `${count(done)} ${unit}` : `${count(done)} of ${count(total)} ${unit}`;
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
}

function count(n: number): string {
  return n.toLocaleString('en');
}
