/**
 * Why a command or request was turned down. A refusal is a value that is returned;
 * only faults of the program or the machine are thrown.
 *
 * `code` is stable and part of the interface (`rest_cannot_edit`, `empty_content` …).
 * The HTTP layer alone knows which status a code has.
 */
export interface Refusal {
  readonly refused: true;
  readonly code: string;
  readonly message: string;
  /** Members for the error body's `data`, beside its status. */
  readonly data?: Readonly<Record<string, unknown>>;
  /**
   * What a code is about where it usually is about something else: the request's content, not the address (`input`);
   * how the request is signed (`signature`) or where it comes from (`peer`), not the user.
   */
  readonly about?: 'input' | 'signature' | 'peer';
  readonly extra?: Readonly<Record<string, unknown>>;
}

export function refuse(code: string, message: string, data?: Readonly<Record<string, unknown>>): Refusal {
  return data === undefined ? { refused: true, code, message } : { refused: true, code, message, data };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as Refusal).refused === true;
}
