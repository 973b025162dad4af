const CORRUPT = 11;
const NOT_A_DATABASE = 26;

export class ProjectionsDamaged extends Error {
  override readonly name = 'ProjectionsDamaged';
}

/** Whether an error means that the projections are damaged, so that only a rebuild helps. */
export function isDamage(error: unknown): error is Error {
  if (error instanceof ProjectionsDamaged) return true;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === CORRUPT || code === NOT_A_DATABASE;
}
