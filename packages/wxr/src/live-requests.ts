import { scheduler } from 'node:timers/promises';
import { SourceFault } from './records.ts';

export interface LiveSiteOptions {
  /** Login and application password; absent: only what is public is read. */
  readonly user?: string;
  readonly password?: string;
  readonly fetch?: typeof fetch;
  /** Requests at once. Default: 2. */
  readonly concurrency?: number;
  /** Milliseconds that pass before each request. Default: 0. */
  readonly pause?: number;
  /** Milliseconds before something that failed is tried again, doubled each time. Default: 1000. */
  readonly backoff?: number;
  readonly signal?: AbortSignal;
}

export interface LiveAnswer {
  readonly status: number;
  /** Where it came from, after redirects. */
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined: it is no JSON. */
  readonly json: unknown;
}

/** Asks for an address; answers of any status below 500 are answers. */
export type AskLive = (url: URL) => Promise<LiveAnswer>;

/** What a server answered to a request again and again. */
export class LiveFailure extends SourceFault {
  readonly status: number;

  constructor(status: number, message: string) {
    super('source_unreachable', message);
    this.status = status;
  }
}

const attempts = 5;
const longestWait = 3600_000;
const timeout = 120_000;
const mostRedirects = 5;

/** Requests to one host: few at once, again after failures that pass, and the password for nobody else. */
export function createLiveRequests(host: URL, options: LiveSiteOptions): AskLive {
  const { user, password, concurrency = 2, pause = 0, signal } = options;
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const headers = {
    accept: 'application/json, text/html;q=0.5',
    ...(user !== undefined && password !== undefined && { authorization: basic }),
  };
  const wait = (ms: number) => (ms > 0 ? scheduler.wait(ms, signal && { signal }) : undefined);
  const send = async (url: URL): Promise<Response> => {
    if (!isSameSite(host, url)) throw leadsElsewhere(host, url);
    await wait(pause);
    const limits = [AbortSignal.timeout(timeout), ...(signal ? [signal] : [])];
    return (options.fetch ?? fetch)(url, { headers, redirect: 'manual', signal: AbortSignal.any(limits) });
  };
  const follow = async (url: URL): Promise<LiveAnswer> => {
    let at = url;
    for (let i = 0; i <= mostRedirects; i++) {
      const response = await send(at);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return answerOf(response, at);
      await response.body?.cancel();
      at = new URL(location, at);
    }
    throw new SourceFault('source_unreachable', `${url} redirects more than ${mostRedirects} times.`);
  };
  const ask = async (url: URL): Promise<LiveAnswer> => {
    for (let i = 1; ; i++) {
      const answer = await follow(url).catch((error: Error) => {
        if (signal?.aborted || error instanceof SourceFault) throw error;
        return error;
      });
      if (!(answer instanceof Error) && answer.status < 500 && answer.status !== 429) return answer;
      // A program that fails by itself fails again.
      if (i >= (!(answer instanceof Error) && answer.status === 500 ? 2 : attempts)) throw failure(url, answer);
      await wait(waitAfter(answer, (options.backoff ?? 1000) * 2 ** (i - 1)));
    }
  };
  return inTurn(concurrency, ask);
}

/** Whether an address is on the same host, and no less protected. */
export function isSameSite(host: URL, url: URL): boolean {
  return url.host === host.host && (url.protocol === host.protocol || url.protocol === 'https:');
}

/** Limits how many of the calls run at once. */
function inTurn(limit: number, ask: AskLive): AskLive {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (url) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await ask(url);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

async function answerOf(response: Response, url: URL): Promise<LiveAnswer> {
  const text = await response.text();
  return { status: response.status, url, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds until the next attempt: those that the server asks for, or the usual ones. A date counts from the date of the answer. */
function waitAfter(answer: LiveAnswer | Error, usual: number): number {
  const asked = answer instanceof Error ? null : answer.headers.get('retry-after');
  if (answer instanceof Error || asked === null) return usual;
  const given = /^\d{1,9}$/.test(asked)
    ? Number(asked) * 1000
    : Date.parse(asked) - Date.parse(answer.headers.get('date') ?? '');
  if (!(given >= 0)) return usual;
  if (given <= longestWait) return given;
  throw new LiveFailure(
    answer.status,
    `${answer.url} wants to be left alone for ${given / 1000} seconds: read it later.`,
  );
}

function failure(url: URL, answer: LiveAnswer | Error): LiveFailure {
  const isError = answer instanceof Error;
  const cause = isError && answer.cause instanceof Error ? answer.cause.message : '';
  const why = isError ? `cannot be reached (${cause || answer.message})` : `answers with status ${answer.status}`;
  return new LiveFailure(
    isError ? 0 : answer.status,
    `${url} ${why}. Check the address and the server, then read it again.`,
  );
}

function leadsElsewhere(host: URL, url: URL): SourceFault {
  return new SourceFault(
    'redirected_elsewhere',
    `${host.origin} leads to ${url.origin}, to which nothing is sent. If that is the site, give its address: ${url.origin}${url.pathname}`,
  );
}
