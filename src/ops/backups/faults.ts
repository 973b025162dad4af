import { SealBroken } from '#objects/sealed.ts';
import type { Outcome } from '../outcome.ts';
import { OtherSite } from './back-up.ts';
import { PiecesMissing } from './fetch.ts';
import { NoBackup } from './repository.ts';

/** The refusal for an error of a backup verb; rethrows all other errors. */
export function refusalOf(error: unknown): Outcome {
  const { message } = error as Error;
  if (error instanceof NoBackup) return { kind: 'refused', code: 'no_backup', message };
  if (error instanceof PiecesMissing) return { kind: 'refused', code: 'backup_incomplete', message };
  if (error instanceof SealBroken) return { kind: 'refused', code: 'backup_sealed', message };
  if (error instanceof OtherSite) return { kind: 'refused', code: 'other_site', message };
  throw error;
}
