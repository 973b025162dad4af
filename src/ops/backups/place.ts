import { localPath, objectsAddress } from '#config/values.ts';
import type { Config } from '#config.ts';
import { ObjectMissing } from '#objects/port.ts';
import { SealBroken } from '#objects/sealed.ts';
import type { Outcome } from '../outcome.ts';
import { UsageError } from '../verb.ts';
import { OtherSite } from './back-up.ts';
import { PiecesMissing } from './fetch.ts';
import { type BackupPlace, NoBackup } from './repository.ts';

export interface GivenPlace {
  readonly from?: string | undefined;
}

const address = objectsAddress().optional();

export const placeArguments = {
  directory: localPath().optional(),
  from: address.describe('folder or s3://bucket/prefix with backups of `backup --to`; default: BACKUP_TO'),
  to: address.describe('folder or s3://bucket/prefix to which a backup is added; default: BACKUP_TO'),
};

export function givenPlace({ backups, backupKey: key }: Config, { from }: GivenPlace): BackupPlace {
  const found = from ?? backups?.to;
  if (found === undefined) throw new UsageError('which backups? Give a folder or an address, or set BACKUP_TO');
  return { address: found, key };
}

/** Whether an error says that a place of backups lacks something, rather than that it could not be looked at. */
export function isFinding(error: unknown): boolean {
  return [NoBackup, PiecesMissing, SealBroken, ObjectMissing].some((kind) => error instanceof kind);
}

/** The refusal for an error of a backup verb; rethrows all other errors. */
export function refusalOf(error: unknown): Outcome {
  const { message } = error as Error;
  if (error instanceof NoBackup) return { kind: 'refused', code: 'no_backup', message };
  if (error instanceof PiecesMissing || error instanceof ObjectMissing)
    return { kind: 'refused', code: 'backup_incomplete', message };
  if (error instanceof SealBroken) return { kind: 'refused', code: 'backup_sealed', message };
  if (error instanceof OtherSite) return { kind: 'refused', code: 'other_site', message };
  throw error;
}
