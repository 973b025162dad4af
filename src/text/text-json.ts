import type { TextJob } from './jobs.ts';
import { asciiJson } from './json.ts';
import { computeHere, HEAVY, knownResult, resultOf, type TextWork } from './suspended.ts';

/** JSON of a text that is about to be stored. Never waits: what is stored may be new with each attempt at a decision. */
export function jsonOf(text: string): string {
  const work: TextWork = { job: 'json', texts: [text] };
  return knownResult(work) ?? computeHere(work);
}

/** SHA-256 (hex) of that JSON. Never waits either. */
export function jsonDigestOf(text: string): string {
  const work: TextWork = { job: 'jsonDigest', texts: [text] };
  return knownResult(work) ?? computeHere(work);
}

export function asciiJsonOf(text: string): string {
  if (text.length >= HEAVY) return resultOf(asciiJobOf(text), text);
  return knownResult({ job: 'asciiJson', texts: [text] }) ?? asciiJson(text);
}

/** The jobs for both JSON forms of a text, which the event and the answer of a write contain, and for its seal. */
export function jsonWorks(text: string): readonly TextWork[] {
  const job = asciiJobOf(text);
  if (text.length < HEAVY) return [{ job, texts: [text] }];
  const jobs = new Set<TextJob>(['json', 'jsonDigest', job]);
  return [...jobs].map((one) => ({ job: one, texts: [text] }));
}

/** For ASCII texts both forms are equal, so one job is enough. */
function asciiJobOf(text: string): TextJob {
  return text.length >= HEAVY && Buffer.byteLength(text) === text.length ? 'json' : 'asciiJson';
}
