import { z } from 'zod';
import { localPathFault } from '#objects/address.ts';
import { isHttp, items, localPath, wholeNumber } from './values.ts';

export interface CheckpointConfig {
  /** Milliseconds between signed checkpoints; 0: none. */
  readonly every: number;
  /** File with the key that signs them; null: the site makes one. */
  readonly key: string | null;
  /** Folders and addresses to which they are copied. */
  readonly to: readonly string[];
  /** Address of a time-stamping authority (RFC 3161); null: none. */
  readonly authority: string | null;
}

interface Read {
  readonly CHECKPOINT_EVERY: number;
  readonly CHECKPOINT_KEY?: string | undefined;
  readonly CHECKPOINT_TO?: readonly string[] | undefined;
  readonly CHECKPOINT_TIMESTAMPS?: string | undefined;
}

export const checkpointSettings = {
  CHECKPOINT_EVERY: wholeNumber(0, 86_400).prefault('600').describe('a number of seconds from 0 (none) to 86400'),
  CHECKPOINT_KEY: localPath().optional().describe('a file of this machine'),
  CHECKPOINT_TO: z
    .string()
    .transform(items)
    .refine((places) => places.every((place) => isHttp(place) || localPathFault(place) === null))
    .optional()
    .describe('folders, and addresses with http or https, separated by commas'),
  CHECKPOINT_TIMESTAMPS: z.string().refine(isHttp).optional().describe('an address with http or https'),
};

export function checkpointsIn(read: Read): CheckpointConfig {
  return {
    every: read.CHECKPOINT_EVERY * 1000,
    key: read.CHECKPOINT_KEY ?? null,
    to: read.CHECKPOINT_TO ?? [],
    authority: read.CHECKPOINT_TIMESTAMPS ?? null,
  };
}
