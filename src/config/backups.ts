import { z } from 'zod';
import { objectsAddress, wholeNumber } from './values.ts';

export interface BackupConfig {
  readonly to: string;
  /** Encryption key; null: not encrypted. */
  readonly key: Buffer | null;
  /** Minutes between automatic backups; 0: none. */
  readonly every: number;
  readonly keep: number;
  /** Whether new events are shipped within seconds. */
  readonly ships: boolean;
}

interface Read {
  readonly BACKUP_TO?: string | undefined;
  readonly BACKUP_KEY?: Buffer | undefined;
  readonly BACKUP_EVERY: number;
  readonly BACKUP_KEEP: number;
  readonly BACKUP_SHIP: 'on' | 'off';
}

export const backupSettings = {
  BACKUP_TO: storeAddress(),
  BACKUP_KEY: z
    .string()
    .regex(/^([A-Za-z\d+/]{43}=|[\da-fA-F]{64})$/)
    .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64'))
    .optional()
    .describe('32 random bytes in base64 or hexadecimal, as `openssl rand -base64 32` makes them'),
  BACKUP_EVERY: wholeNumber(0, 525_600).prefault('1440').describe('a number of minutes from 0 (never) to 525600'),
  BACKUP_KEEP: wholeNumber(1, 10_000).prefault('14').describe('a number of backups from 1 to 10000'),
  BACKUP_SHIP: z.enum(['on', 'off']).prefault('off').describe('on or off'),
};

export function backupsIn(read: Read): BackupConfig | null {
  if (read.BACKUP_TO === undefined) return null;
  const { BACKUP_TO: to, BACKUP_KEY: key = null, BACKUP_EVERY: every, BACKUP_KEEP: keep } = read;
  return { to, key, every, keep, ships: read.BACKUP_SHIP === 'on' };
}

export function storeAddress() {
  return objectsAddress()
    .optional()
    .describe('a folder, or s3://bucket/prefix with the options endpoint, region and path-style');
}
