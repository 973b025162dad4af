import { invalidParam, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { HeldRequest, Release, ReleaseEvent } from './area.ts';

type Decided = readonly ReleaseEvent[] | Refusal;

export function openRelease(name: string, { last, by }: { readonly last: number; readonly by: number }): Decided {
  const said = name.trim();
  if (said === '') return invalidParam('name', 'name has to say what the release is for.');
  return [{ type: 'ReleaseOpened', data: { release: last + 1, by, name: said } }];
}

/** `at`: UTC, to the second; null: no time. `now`: UTC, to the second. */
export function changeRelease(
  release: Release,
  wanted: { readonly name?: string; readonly at?: string | null },
  { now, by }: { readonly now: string; readonly by: number },
): Decided {
  const closed = refusedUnlessOpen(release);
  if (closed !== null) return closed;
  const { name, at } = wanted;
  if (name?.trim() === '') return invalidParam('name', 'name has to say what the release is for.');
  if (typeof at === 'string' && at <= now) return invalidParam('publish_at', 'publish_at has to be in the future.');
  const changed = {
    ...(name === undefined || name.trim() === release.name ? {} : { name: name.trim() }),
    ...(at === undefined || at === release.at ? {} : { at }),
  };
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'ReleaseChanged', data: { release: release.id, by, ...changed } }];
}

export function holdRequest(release: Release, held: Omit<HeldRequest, 'release'>): Decided {
  return refusedUnlessOpen(release) ?? [{ type: 'ReleaseRequested', data: { release: release.id, ...held } }];
}

export function dropRequest(release: Release, request: number): Decided {
  const closed = refusedUnlessOpen(release);
  if (closed !== null) return closed;
  if (!release.requests.includes(request)) return refuse('rest_no_such_request', 'The release has no such request.');
  return [{ type: 'ReleaseRequestDropped', data: { release: release.id, request } }];
}

interface Approving {
  readonly by: number;
  readonly digest: string;
  /** Users whose requests it has. */
  readonly authors: ReadonlySet<number>;
}

/** Approves what the release contains. Nobody approves what they asked for themselves. */
export function approveRelease(release: Release, meaning: string, { by, digest, authors }: Approving): Decided {
  const closed = refusedUnlessOpen(release);
  if (closed !== null) return closed;
  if (release.requests.length === 0) return refuse('rest_release_empty', 'The release has no requests.');
  if (authors.has(by)) return refuse('rest_cannot_approve', 'Nobody can approve what they asked for themselves.');
  const said = meaning.trim() || 'reviewed';
  if (release.approvals.some((one) => one.by === by && one.digest === digest && one.meaning === said)) return [];
  return [{ type: 'ReleaseApproved', data: { release: release.id, by, digest, meaning: said } }];
}

interface Needed {
  /** Number of users who have to approve. */
  readonly needed: number;
  readonly digest: string;
  /** Whether somebody's approval counts today. */
  readonly counts: (user: number) => boolean;
}

/** Why a release may not be published; null if it may. */
export function refusalToPublish(release: Release, { digest, needed, counts }: Needed): Refusal | null {
  const closed = refusedUnlessOpen(release);
  if (closed !== null) return closed;
  if (release.requests.length === 0) return refuse('rest_release_empty', 'The release has no requests.');
  const valid = release.approvals.filter((one) => one.digest === digest && counts(one.by)).length;
  if (valid >= needed) return null;
  const message = `The release needs ${needed} approvals of what it contains now, and has ${valid}.`;
  return refuse('rest_release_not_approved', message, { needed, approvals: valid });
}

export function refusedUnlessOpen({ status }: Release): Refusal | null {
  return status === 'open' ? null : refuse('rest_release_closed', `The release has been ${status}.`);
}
