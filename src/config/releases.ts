import { z } from 'zod';
import { isSiteUrl, wholeNumber, withoutSlash } from './values.ts';

/** Settings of releases, previews and a front end. */
export const releaseSettings = {
  RELEASE_APPROVALS: wholeNumber(0, 20).prefault('0').describe('a whole number from 0 (none) to 20'),
  FRONT_URL: z
    .string()
    .refine(isSiteUrl)
    .transform(withoutSlash)
    .optional()
    .describe('an address such as https://www.example.org'),
  PREVIEW_URL: z
    .string()
    .refine((text) => /^https?:\/\/[^/]+\//.test(text) && text.includes('{token}'))
    .optional()
    .describe('an address with {token}, such as https://app.example/preview/{type}/{id}?token={token}'),
};

export interface ReleaseConfig<N> {
  /** Number of approvals that a release needs to be published. */
  readonly releaseApprovals: number;
  /** Names of the interface, and the addresses of previews and of the front end. */
  readonly names: N & { readonly previewUrl?: string; readonly frontUrl?: string };
}

interface Read<N> {
  readonly RELEASE_APPROVALS: number;
  readonly FRONT_URL?: string | undefined;
  readonly PREVIEW_URL?: string | undefined;
  readonly INTERFACE_NAMES: N;
}

export function releasesIn<N>(read: Read<N>): ReleaseConfig<N> {
  const { RELEASE_APPROVALS, FRONT_URL, PREVIEW_URL, INTERFACE_NAMES } = read;
  const preview = PREVIEW_URL === undefined ? {} : { previewUrl: PREVIEW_URL };
  const names = { ...INTERFACE_NAMES, ...preview, ...(FRONT_URL === undefined ? {} : { frontUrl: FRONT_URL }) };
  return { releaseApprovals: RELEASE_APPROVALS, names };
}
