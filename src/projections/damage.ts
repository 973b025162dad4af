const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Whether an error says that a SQLite file is not what it should be. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === CORRUPT || code === NOT_A_DATABASE;
}
