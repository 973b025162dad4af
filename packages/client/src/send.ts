import { CmsError, errorIn } from './errors.ts';

export interface SentRequest {
  readonly address: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Blob | null;
  readonly signal: AbortSignal | undefined;
  /** Whether sending it twice has no other effect than once. */
  readonly isRepeatable: boolean;
  /** The key of the request is this client's own: the request may be sent without one if the site asks for that. */
  readonly hasOwnKey: boolean;
  /** How often it is sent again at most. */
  readonly retries: number;
}

export interface ReceivedAnswer {
  readonly response: Response;
  readonly text: string;
}

/** Statuses of servers and proxies that cannot answer at the moment. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const KEYLESS = 'rest_idempotency_key_not_supported';
/** Longest wait in milliseconds that a request takes for `Retry-After`. */
const PATIENCE = 60_000;

/** Sends a request until it is answered. What does not pass by itself is thrown as a `CmsError`, and an abort as its reason. */
export async function exchange(request: SentRequest): Promise<ReceivedAnswer> {
  const { method, headers, body, signal } = request;
  for (let attempt = 0; ; attempt += 1) {
    const mayRepeat = request.isRepeatable && attempt < request.retries;
    let wait = backOff(attempt);
    try {
      // Following would make a read of a write.
      const redirect = method === 'GET' ? 'follow' : 'manual';
      const response = await fetch(request.address, { method, headers, body, redirect, signal: signal ?? null });
      // A body that breaks off is a lost answer too.
      const text = await response.text();
      const error = errorIn(response, text);
      if (error === null) return { response, text };
      if (error.code === KEYLESS && request.hasOwnKey) return exchange(withoutKey(request));
      wait = retryAfter(response) ?? wait;
      if (!mayRepeat || !isPassing(error) || wait > PATIENCE) throw error;
    } catch (error) {
      if (signal?.aborted || error instanceof CmsError) throw error;
      if (!mayRepeat) throw new CmsError('no_answer', `${method} ${request.address}: no answer.`, { cause: error });
    }
    await rest(wait, signal);
  }
}

/** Whether it may be otherwise soon, with the same request. */
export function isPassing({ status }: CmsError): boolean {
  return PASSING.has(status);
}

/** What the answer asks to wait, in milliseconds; null if it does not say. */
export function retryAfter({ headers }: Response): number | null {
  const asked = headers.get('Retry-After');
  if (asked === null) return null;
  const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** Resolves after some milliseconds; rejects with the reason of the signal when that is aborted. */
export function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

function backOff(attempt: number): number {
  return Math.min(15_000, 250 * 2 ** attempt) * (1 + Math.random());
}

/** Routes that answer a secret keep no answers, and refuse keys before they do anything. */
function withoutKey(request: SentRequest): SentRequest {
  const headers = new Headers(request.headers);
  headers.delete('Idempotency-Key');
  return { ...request, headers, isRepeatable: false, hasOwnKey: false };
}
