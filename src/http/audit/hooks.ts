import { hooksIn } from '#commands/hooks.ts';
import { type Html, html } from '#text/html.ts';
import { stateOfHook } from '../hooks/state.ts';
import type { AuditCall } from './store.ts';
import { fullTime } from './times.ts';

const inWords = {
  sending: '✓ It has what it is to be told.',
  failing: '✗ Its receiver does not take messages.',
  stopped: 'It is stopped.',
  erased: 'Its address was erased.',
  lost: '✗ It is not known where it goes on.',
  elsewhere: 'This node sends nothing.',
};

/** The state of all hooks; null if there are none. */
export function hooksSection({ store: { reader, hooks } }: AuditCall): Html | null {
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
