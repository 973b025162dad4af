import { z } from 'zod';
import { wholeNumber } from './values.ts';

/** Settings of releases and previews. */
export const releaseSettings = {
  RELEASE_APPROVALS: wholeNumber(0, 20).prefault('0').describe('a whole number from 0 (none) to 20'),
  PREVIEW_URL: z
    .string()
    .refine((text) => /^https?:\/\/[^/]+\//.test(text) && text.includes('{token}'))
    .optional()
    .describe('an address with {token}, such as https://app.example/preview/{type}/{id}?token={token}'),
};

export interface ReleaseConfig<N> {
  /** Number of approvals that a release needs to be published. */
  readonly releaseApprovals: number;
  /** Names of the interface, and the address of previews. */
  readonly names: N & { readonly previewUrl?: string };
}

interface Read<N> {
  readonly RELEASE_APPROVALS: number;
  readonly PREVIEW_URL?: string | undefined;
  readonly INTERFACE_NAMES: N;
}

export function releasesIn<N>({ RELEASE_APPROVALS, PREVIEW_URL, INTERFACE_NAMES }: Read<N>): ReleaseConfig<N> {
  const names = { ...INTERFACE_NAMES, ...(PREVIEW_URL === undefined ? {} : { previewUrl: PREVIEW_URL }) };
  return { releaseApprovals: RELEASE_APPROVALS, names };
}
