import type { TextJob } from './jobs.ts';
import { asciiJson } from './json.ts';
import { computeHere, HEAVY, knownResult, resultOf, type TextWork } from './suspended.ts';

/** JSON of a text that is about to be stored. Never waits: what is stored may be new with each attempt at a decision. */
export function jsonOf(text: string): string {
  const work: TextWork = { job: 'json', texts: [text] };
  return knownResult(work) ?? computeHere(work);
}

export function asciiJsonOf(text: string): string {
  if (text.length >= HEAVY) return resultOf(asciiJobOf(text), text);
  return knownResult({ job: 'asciiJson', texts: [text] }) ?? asciiJson(text);
}

/** The jobs for both JSON forms of a text, which the event and the answer of a write contain. */
export function jsonWorks(text: string): readonly TextWork[] {
  const job = asciiJobOf(text);
  const jobs: readonly TextJob[] = job === 'json' || text.length < HEAVY ? [job] : ['json', job];
  return jobs.map((one) => ({ job: one, texts: [text] }));
}

/** For ASCII texts both forms are equal, so one job is enough. */
function asciiJobOf(text: string): TextJob {
  return text.length >= HEAVY && Buffer.byteLength(text) === text.length ? 'json' : 'asciiJson';
}
