import { z } from 'zod';
import { parseAddress } from '#objects/address.ts';

export function storeAddress() {
  return z
    .string()
    .refine((text) => typeof parseAddress(text) !== 'string')
    .optional()
    .describe('a folder, or s3://bucket/prefix with the options endpoint, region and path-style');
}
