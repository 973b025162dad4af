import { createHash } from 'node:crypto';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import {
  type HeldRequest,
  heldKey,
  type Release,
  type ReleaseEvent,
  releaseKey,
  releases,
} from '#domain/release/area.ts';
import * as decide from '#domain/release/decide.ts';
import { snake } from '#projections/audit/fields.ts';
import type { Model } from '#projections/reading/model.ts';
import { stageIn } from './plugins.ts';
import type { Session } from './session.ts';
import { type ItemRef, refOf, streamOf } from './undo/affected.ts';
import { withSubject } from './undo/subjects.ts';

/** Releases: writes that wait until all of them are carried out as one commit. */

const NOT_FOUND = refuse('rest_release_not_found', 'There is no such release.');

export function releaseIn(model: Model, id: number): Release | Refusal {
  return model.plugin(releases, releaseKey(id)).release ?? NOT_FOUND;
}

/** All releases, the newest first. */
export function listReleases(model: Model): readonly Release[] {
  const all = [...model.plugins(releases).values()].flatMap(({ release }) => release ?? []);
  return all.sort((a, b) => b.id - a.id);
}

/** The requests of a release, in order. */
export function heldRequests(model: Model, { id, requests }: Release): readonly HeldRequest[] {
  return requests.flatMap((number) => model.plugin(releases, heldKey(id, number)).request ?? []);
}

/** SHA-256 (hex) of what a release would do. */
export function digestOfRequests(requests: readonly HeldRequest[]): string {
  const hash = createHash('sha256');
  for (const { request, by, method, path, query, body } of requests) {
    hash.update(JSON.stringify([request, by, method, path, query, body]));
  }
  return hash.digest('hex');
}

/** Releases whose time has come. `now`: UTC, to the second. */
export function dueReleases(model: Model, now: string): readonly number[] {
  const { timed } = model.plugin(releases);
  return Object.entries(timed).flatMap(([id, at]) => (at <= now ? Number(id) : []));
}

export function beginRelease(session: Session, name: string): number | Refusal {
  const { last } = session.plugin(releases);
  return staged(session, decide.openRelease(name, { last, by: actor(session) })) ?? last + 1;
}

export function alterRelease(
  session: Session,
  release: Release,
  wanted: Parameters<typeof decide.changeRelease>[1],
): Refusal | null {
  return staged(session, decide.changeRelease(release, wanted, { now: session.now.gmt, by: actor(session) }));
}

export function giveUp(session: Session, release: Release): Refusal | null {
  const refusal = decide.refusedUnlessOpen(release);
  return refusal ?? staged(session, [{ type: 'ReleaseDropped', data: { release: release.id } }]);
}

export function takeOut(session: Session, release: Release, request: number): Refusal | null {
  return staged(session, decide.dropRequest(release, request));
}

export function approve(session: Session, release: Release, meaning: string): Refusal | null {
  const held = heldRequests(session, release);
  const authors = new Set(held.map(({ by }) => by));
  return staged(
    session,
    decide.approveRelease(release, meaning, { by: actor(session), digest: digestOfRequests(held), authors }),
  );
}

export function holdUpRelease(session: Session, release: number, code: string): void {
  stageIn(session, releases, [{ type: 'ReleaseHeldUp', data: { release, code } }]);
}

export function putIn(session: Session, release: Release, held: Omit<HeldRequest, 'release'>): Refusal | null {
  return staged(session, decide.holdRequest(release, held));
}

/** Ends a release whose requests have been carried out by this commit. */
export function endRelease(session: Session, release: Release, requests: readonly HeldRequest[]): void {
  const kept = requests.flatMap(({ ids }) => ids ?? []);
  const ids = { from: Math.min(...kept.map(({ from }) => from)), to: Math.max(...kept.map(({ to }) => to)) };
  const data = { release: release.id, digest: digestOfRequests(requests), ...(kept.length === 0 ? {} : { ids }) };
  stageIn(session, releases, [{ type: 'ReleasePublished', data }]);
}

/** A field that a request changes, and that has changed since the request was made. */
export interface ReleaseConflict {
  readonly request: number;
  readonly stream: string;
  readonly field: string;
  /** As it is now. */
  readonly now: unknown;
  /** As the request gives it. */
  readonly asked: unknown;
}

/** What stands against a release on the site as it is. */
export function conflictsIn(model: Model, requests: readonly HeldRequest[]): readonly ReleaseConflict[] {
  return requests.flatMap(({ request, expects, ...sent }) =>
    expects.flatMap(({ stream, field, digest }) => {
      const ref = refOf({ stream, type: '', data: '{}' });
      const now = ref === null ? undefined : fieldsAt(model, ref)?.[field];
      return digestOfField(now) === digest
        ? []
        : [{ request, stream, field: snake(field), now: now ?? null, asked: askedOf(sent, snake(field)) }];
    }),
  );
}

function askedOf({ body, query }: Pick<HeldRequest, 'body' | 'query'>, field: string): unknown {
  const given = { ...Object(JSON.parse(query)), ...Object(JSON.parse(body)) };
  return given[field] ?? null;
}

/** A field that the requests of another open release change as well. */
export interface SharedField {
  readonly release: number;
  readonly stream: string;
  readonly field: string;
}

/** What other open releases would change as well. */
export function sharedWith(model: Model, release: Release): readonly SharedField[] {
  const own = expectedBy(model, release);
  return listReleases(model)
    .filter(({ id, status }) => status === 'open' && id !== release.id)
    .flatMap((other) => {
      const shared = [...expectedBy(model, other)].filter(([key]) => own.has(key));
      return shared.map(([, { stream, field }]) => ({ release: other.id, stream, field: snake(field) }));
    });
}

/** The fields that a release changes of items that are there, by stream and name. */
function expectedBy(model: Model, release: Release): ReadonlyMap<string, HeldRequest['expects'][number]> {
  const all = heldRequests(model, release).flatMap(({ expects }) => expects);
  return new Map(all.map((one) => [`${one.stream} ${one.field}`, one]));
}

/** What a request that a session has just carried out changes of items that were there before. */
export function expectationsOf(
  session: Session,
  { before, from }: { readonly before: Model; readonly from: number },
): HeldRequest['expects'] {
  const refs = new Map<string, ItemRef>();
  for (const { event, meta } of session.stagedFrom(from).recorded) {
    const ref = refOf({ stream: meta.stream, type: event.type, data: JSON.stringify(event.data) });
    // All templates are in one stream, which does not tell them apart.
    if (ref !== null && ref.area !== 'plugin-templates') refs.set(streamOf(ref) + String(ref.id), ref);
  }
  return [...refs.values()].flatMap((ref) => {
    const [was, is] = [fieldsAt(before, ref), fieldsAt(session, ref)];
    if (was === null) return [];
    const changed = Object.keys(was).filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is?.[field]));
    return changed.map((field) => ({ stream: streamOf(ref), field, digest: digestOfField(was[field]) }));
  });
}

function fieldsAt(model: Model, { area, id }: ItemRef): Readonly<Record<string, unknown>> | null {
  return withSubject(area, ({ read, fieldsOf }) => {
    const state = read(model, id);
    return state && fieldsOf(state);
  });
}

function digestOfField(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex');
}

function actor({ viewer }: Session): number {
  return viewer?.id ?? 0;
}

function staged(session: Session, events: readonly ReleaseEvent[] | Refusal): Refusal | null {
  return isRefusal(events) ? events : stageIn(session, releases, events);
}
