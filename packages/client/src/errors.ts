/**
 * Why a request failed. `code` is stable, `message` is for people. Besides the codes of the site there are `no_answer` (status 0: none
 * came, however often the request was sent), `moved` (a write was redirected: nothing was done), `not_the_interface` (something else answered), and `login_failed` (status 401: the site
 * answered as it does to nobody, because login or password are wrong).
 */
export class CmsError extends Error {
  override readonly name: string = 'CmsError';
  readonly code: string;
  readonly status: number;
  /** A sentence for each wrong parameter, by its name. */
  readonly params: Readonly<Record<string, string>>;
  /** All that the site says besides code and message. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, { status = 0, data = {}, cause }: Partial<ErrorFacts> = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.data = data;
    const { params } = data;
    this.params = isObject(params) && !Array.isArray(params) ? (params as Record<string, string>) : {};
  }
}

/** What was read has changed since: read again, and decide again. */
export class StaleError extends CmsError {
  override readonly name = 'StaleError';
}

interface ErrorFacts {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly cause: unknown;
}

/** The error that an answer reports; null if it reports none. `text`: its body. */
export function errorIn({ ok, status, headers, url, type }: Response, text: string): CmsError | null {
  if (ok) {
    if (headers.get('X-CMS-Auth') !== 'failed') return null;
    return new CmsError('login_failed', 'The login and the password, or the token, are wrong.', { status: 401 });
  }
  const said = parsed(text);
  if (!isObject(said) || typeof said['code'] !== 'string') {
    const isMoved = type === 'opaqueredirect' || headers.has('Location');
    const what = isMoved ? `leads to ${headers.get('Location') ?? 'another address'}` : `answers ${status}`;
    const message = `${url.split('?', 1)[0]} ${what}, and not in the form of the interface.`;
    return new CmsError(isMoved ? 'moved' : 'not_the_interface', message, { status });
  }
  const { code, message, data } = said;
  const Kind = code === 'rest_precondition_failed' ? StaleError : CmsError;
  return new Kind(code, String(message), { status, data: isObject(data) ? data : {} });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
