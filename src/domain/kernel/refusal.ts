/**
 * Why a command or request was refused. A refusal is a returned value; only faults of the program or the machine are thrown.
 *
 * `code` is stable and part of the interface (`rest_cannot_edit`, `empty_content` …). Only the HTTP layer knows the status of a code.
 */
export interface Refusal {
  readonly refused: true;
  readonly code: string;
  readonly message: string;
  /** Members for `data` of the error body, besides the status. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The request's content is at fault instead of the address, which the code is usually about. */
  readonly about?: 'input';
  /** Of plugins, whose codes the HTTP layer does not know. */
  readonly status?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** `status` is for plugins. Default: that of the code if it is one of the server's, else 400. */
export function refuse(
  code: string,
  message: string,
  data?: Readonly<Record<string, unknown>>,
  status?: number,
): Refusal {
  return { refused: true, code, message, ...(data && { data }), ...(status !== undefined && { status }) };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as Refusal).refused === true;
}

/** Refuses a parameter that only a decision can check, in the form of the earlier checks. */
export function invalidParam(name: string, message: string): Refusal {
  return refuse('rest_invalid_param', `Invalid parameter(s): ${name}`, {
    params: { [name]: message },
    details: { [name]: { code: 'invalid_param', message, data: null } },
  });
}
