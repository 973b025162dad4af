import { hooksIn } from '#commands/hooks.ts';
import { aheadInWords } from '#projections/audit/leaps.ts';
import { type Html, html } from '#text/html.ts';
import { stateOfHook } from '../hooks/state.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall, RebuildShown, VerifiedShown } from './store.ts';
import { fullTime } from './words.ts';

const inWords = {
  sending: '✓ It has what it is to be told.',
  failing: '✗ Its receiver does not take messages.',
  stopped: 'It is stopped.',
  erased: 'Its address was erased.',
  lost: '✗ It is not known where it goes on.',
  elsewhere: 'This node sends nothing.',
};

export function healthSheet(call: AuditCall): Sheet {
  const { store } = call;
  const { log, reader, rebuilding } = store;
  const head = log.head();
  const { version, position, hash, unindexed, direct, unsaved } = store.health();
  const behind = head.position - position;
  const zone = reader.site().timezone;
  const rebuild = rebuildPart(rebuilding.state, zone);
  const isRebuilding = rebuilding.state.task !== null;
  // During a rebuild, visitors come to see its progress.
  const main = html`<h1>Health</h1>
${isRebuilding ? rebuild : null}
<section aria-labelledby="log"><h2 id="log">The log</h2>
${verifiedPart(store, zone)}
<p>This page checks nothing itself. Note the head elsewhere: later <code>verify --head</code> with it shows that nothing up to there was altered. Without it <code>verify</code> shows that the log is whole and consistent, which a log that was rewritten as a whole is, too.</p>
<dl class="facts">
${fact('Events', count(head.position))}${fact('Last one', head.at === null ? 'none yet' : fullTime(head.at, zone))}
${fact('Head', headOf(head))}${aheadPart(head, store.clock)}
</dl></section>
${signedSection(call, zone)}
<section aria-labelledby="projections"><h2 id="projections">The projections</h2>
<p class="verdict">${behind === 0 ? 'They are at the end of the log.' : `… They are ${events(behind)} behind and catch up.`}</p>
<dl class="facts">
${fact('Shown up to position', count(position))}${fact('Version', version.toString(16))}
${fact('Head of what they show', headOf({ position, hash }))}
</dl></section>
<section aria-labelledby="search"><h2 id="search">The search index</h2>
<p class="verdict">${searchVerdict(unindexed, direct)}</p>
<dl class="facts">${fact('Changes since it was written down', count(unsaved))}</dl></section>
${hooksSection(call)}
${isRebuilding ? null : rebuild}`;
  return { title: 'Health', depth: 0, main };
}

/** What is signed, and by whom; null: unknown. It says only what was checked when it was signed. */
function signedSection({ store }: AuditCall, zone: string): Html | null {
  if (store.transparency === undefined) return null;
  const signed = store.transparency.signed();
  if (signed === null)
    return html`<section aria-labelledby="signed"><h2 id="signed">Signatures</h2><p class="verdict">Nothing is signed yet.</p></section>`;
  const { size, at, cosignedBy, missing } = signed;
  const by = cosignedBy.length === 0 ? 'nobody else' : cosignedBy.join(', ');
  return html`<section aria-labelledby="signed"><h2 id="signed">Signatures</h2>
<p class="verdict">The log was signed up to position ${count(size)}, after it was compared with what had been signed before. ${organisations(cosignedBy.length)} cosigned it.</p>
<dl class="facts">
${fact('Signed', fullTime(at, zone))}${fact('Cosigned by', by)}${missing.length === 0 ? null : fact('Not yet by', missing.join(', '))}
</dl></section>`;
}

function organisations(many: number): string {
  if (many === 0) return 'No other organisation has';
  return many === 1 ? 'One other organisation has' : `${many} other organisations have`;
}

/** The result of the last run of `verify`, and whether the log is still the one it checked. */
function verifiedPart({ log, verified }: AuditCall['store'], zone: string): Html {
  const last = verified();
  if (last === null) return html`<p class="verdict">Nobody has verified this log here yet.</p>`;
  const facts = html`<dl class="facts">
${fact('Last verified', fullTime(last.at, zone))}${fact('By', last.by)}
${fact('Compared with a noted head', last.noted ? 'yes' : 'no')}${last.head && fact('Head then', headOf(last.head))}
</dl>`;
  return html`<p class="verdict">${verdictOf(last, log)}</p>
${facts}`;
}

function verdictOf({ result, head: then }: VerifiedShown, log: AuditCall['store']['log']): string {
  if (result === 'wrong' || then === null) return '✗ The last run of verify found faults.';
  const now = log.head();
  const since = now.position - then.position;
  const [event] = then.position === 0 ? [] : log.read({ from: then.position, limit: 1 });
  if (since < 0 || (then.position > 0 && event?.hash !== then.hash)) {
    return '✗ This is not the log any more that was verified last.';
  }
  const rest = since === 0 ? '' : ` ${events(since)} ${since === 1 ? 'has' : 'have'} come since.`;
  return `✓ It was whole and consistent when it was last verified.${rest}`;
}

function searchVerdict(unindexed: number, direct: number): string {
  if (unindexed === 0) return 'All texts are indexed.';
  return unindexed <= direct
    ? `${count(unindexed)} ${unindexed === 1 ? 'text is' : 'texts are'} searched directly: so few need no index.`
    : `… ${count(unindexed)} texts wait to be indexed. They are found all the same, only more slowly.`;
}

/** By how much the log is ahead of the clock; null if it is not. */
function aheadPart(
  { at }: { readonly at: string | null },
  { now, tolerance }: AuditCall['store']['clock'],
): Html | null {
  const ahead = at === null ? 0 : Date.parse(at) - now;
  return ahead > tolerance ? fact('Time of the log', aheadInWords(Math.round(ahead / 1000))) : null;
}

/** The format of `verify --head`; a click selects all of it. */
function headOf({ position, hash }: { readonly position: number; readonly hash: string }): Html {
  return html`<code class="hash">${position}:${hash}</code>`;
}

/** The rebuild in progress, or the result of the last one; null if there has been none. */
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

function events(n: number): string {
  return `${count(n)} ${n === 1 ? 'event' : 'events'}`;
}

/** The state of all hooks; null if there are none. */
function hooksSection({ store: { reader, hooks } }: AuditCall): Html | null {
  const all = hooksIn(reader);
  if (all.length === 0) return null;
  const zone = reader.site().timezone;
  const rows = all.map((hook) => {
    const { state, position, failingSince, error } = stateOfHook(hook, hooks ?? null);
    const behind = position === null ? 0 : reader.position - position;
    const verdict = state === 'sending' && behind > 0 ? `… It is ${behind} events behind.` : inWords[state];
    const since = failingSince ?? hook.stopped?.at;
    const host = URL.parse(hook.address)?.host ?? 'no address';
    return html`<div><dt>Hook ${hook.id}, ${host}</dt><dd>${verdict}${since ? html` Since ${fullTime(since, zone)}.` : null}${error === '' ? null : ` The last answer: ${error}.`}</dd></div>\n`;
  });
  return html`<section aria-labelledby="hooks"><h2 id="hooks">Hooks</h2>
<dl class="facts">
${rows}</dl></section>`;
}
