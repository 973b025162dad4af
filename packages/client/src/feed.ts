import { CmsError, errorIn } from './errors.ts';
import { isPassing, rest, retryAfter } from './send.ts';
import type { FeedCommit } from './types.ts';

export interface FollowedFeed {
  readonly address: URL;
  readonly headers: Headers;
  /** Position after which the commits begin. Undefined: now. */
  readonly since: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds without a byte after which a connection counts as dead: the site says something every 15 seconds. */
const SILENCE = 45_000;

/** Commits as they happen. A lost connection is made again from the position reached; only what does not pass by itself is thrown. */
export async function* commitsSince({ address, headers, since, signal }: FollowedFeed): AsyncGenerator<FeedCommit> {
  let reached = since;
  let wait = 2000;
  for (;;) {
    const ended = new AbortController();
    const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
    try {
      if (reached !== undefined) address.searchParams.set('since', String(reached));
      const response = await inTime(fetch(address, { headers, signal: either }), ended);
      const error = await refusalOf(response);
      wait = retryAfter(response) ?? wait;
      if (error !== null) throw error;
      for await (const event of eventsIn(response, ended)) {
        wait = Number(event.get('retry') ?? wait);
        const kind = event.get('event');
        if (kind !== 'commit' && kind !== 'position') continue;
        const told = JSON.parse(event.get('data') ?? '') as FeedCommit;
        reached = told.position;
        if (kind === 'commit') yield told;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SyntaxError || (error instanceof CmsError && !isPassing(error))) throw error;
    } finally {
      ended.abort();
    }
    await rest(wait, signal);
  }
}

async function refusalOf(response: Response): Promise<CmsError | null> {
  const { ok, status, headers } = response;
  const error = errorIn(response, ok ? '' : await response.text());
  if (error !== null || headers.get('Content-Type')?.startsWith('text/event-stream')) return error;
  return new CmsError('not_the_interface', 'What answers is not a feed.', { status });
}

/** The fields of each event. */
async function* eventsIn({ body }: Response, ended: AbortController): AsyncGenerator<ReadonlyMap<string, string>> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  for (;;) {
    const { done, value = '' } = (await (reader && inTime(reader.read(), ended))) ?? { done: true };
    if (done) return;
    const blocks = (held + value).split(/\r?\n\r?\n/);
    held = blocks.pop() ?? '';
    for (const block of blocks) yield new Map(block.split(/\r?\n/).map((line) => splitAt(line, line.indexOf(':'))));
  }
}

function splitAt(line: string, colon: number): readonly [string, string] {
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}

/** The result of what a connection does; ends the connection if that takes too long. */
async function inTime<T>(work: Promise<T>, ended: AbortController): Promise<T> {
  const timer = setTimeout(() => ended.abort(), SILENCE);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
