import { isClosedNow } from '#commands/credentials.ts';
import type { Hook, HookFilter } from '#domain/hooks/area.ts';
import type { StopReason } from '#domain/hooks/events.ts';
import type { HookProgress, Progress } from '#domain/hooks/progress.ts';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import type { Poster } from '#outgoing/post.ts';
import type { Fact } from '../feed/facts.ts';
import type { Journal } from '../feed/journal.ts';
import { pause, type TurnQueue } from '../feed/reading.ts';
import type { Source } from '../feed/source.ts';
import { type Change, visibleIn } from '../feed/visible.ts';
import {
  changesMessage,
  type Message,
  signedHeaders,
  type ToldChange,
  type ToldCommit,
  withMessages,
} from './message.ts';

/** Observes deliveries. */
export interface HookWitness {
  readonly taken: (hook: number, changes: number) => void;
  /** `isFirst`: since the last accepted message. */
  readonly failed: (hook: number, error: string, isFirst: boolean) => void;
  readonly recovered: (hook: number) => void;
  readonly stopped: (hook: number, why: StopReason) => void;
  readonly lost: (hook: number) => void;
}

export interface Delivery extends MessageGathering {
  readonly site: string;
  readonly progress: HookProgress;
  readonly poster: Pick<Poster, 'post'>;
  readonly stop: (hook: number, why: StopReason) => Promise<unknown>;
  readonly witness: HookWitness;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface MessageGathering {
  readonly source: Source;
  readonly journal: Journal;
  readonly turn: TurnQueue;
}

interface ChangeBatch {
  readonly commits: readonly ToldCommit[];
  readonly to: number;
  readonly isAll: boolean;
}

export interface Failed {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly error: string;
  /** Seconds that the receiver asked for; 0: none. */
  readonly retryAfter: number;
  /** From 0 to 1; spreads the retries to many receivers. */
  readonly random: number;
}

/** Minimum milliseconds between messages once a hook is up to date: changes in between share the next message. */
const closest = 100;
/** Longest sleep without checking the state, in milliseconds. */
const nap = 60_000;
/** Positions without anything to send after which progress is stored; a killed process may read them again. */
const unnoted = 1000;

/** A message ends with the commit that brings it to this many changes, about 100 bytes each. */
const maxChanges = 500;
/** Pages of the log that are searched in vain before progress is stored. */
const maxPages = 50;

/** Milliseconds of continuous failure after which a receiver is given up. */
export const retryPeriod = 86_400_000;
const firstPause = 1000;
const longestPause = 300_000;
/** Longest pause that a receiver may ask for. */
const longestAsked = 3_600_000;

/** Sends a hook its changes, one message after the other, until it is stopped or the signal is aborted. */
export async function deliver(delivery: Delivery, hook: Hook, gone: AbortSignal): Promise<void> {
  const { source, progress, clock, sleep } = delivery;
  let reached = progress.of(hook.id)?.position ?? 0;
  while (!gone.aborted) {
    const kept = progress.of(hook.id);
    const user = source.model().user(hook.user);
    if (kept === null) return;
    if (user === undefined || isClosedNow(user, source.model(), clock())) return giveUp(delivery, hook, 'account');
    const left = pauseLeft(kept, clock());
    if (left > 0) {
      await sleep(Math.min(left, nap), gone);
      continue;
    }
    const from = { ...kept, position: Math.max(kept.position, reached) };
    const batch = await gather(delivery, { hook, viewer: viewerOf(user) }, from);
    if (gone.aborted) return;
    reached = batch.to;
    if (batch.commits.length === 0) {
      if (kept.upTo !== null || batch.to - kept.position >= unnoted)
        progress.put(hook.id, { ...kept, upTo: null, position: batch.to });
      if (batch.isAll && batch.to > from.position) await sleep(closest, gone);
      if (batch.isAll) await pause({ source, position: batch.to, ms: nap, gone });
      continue;
    }
    const taken = await attempt(delivery, hook, { kept: from, batch, gone });
    if (taken === 'ended') return;
    if (taken === 'failed') reached = from.position;
    else if (batch.isAll) await sleep(closest, gone);
  }
}

interface Attempt {
  readonly kept: Progress;
  readonly batch: ChangeBatch;
  readonly gone: AbortSignal;
}

async function attempt(
  delivery: Delivery,
  hook: Hook,
  { kept, batch, gone }: Attempt,
): Promise<'taken' | 'failed' | 'ended'> {
  const { site, source, progress, clock, witness } = delivery;
  const { position: from, round } = kept;
  const sending = { ...kept, upTo: batch.to };
  progress.put(hook.id, sending);
  const place = { site, hook: hook.id, round, from, to: batch.to };
  const message = changesMessage(place, source.model().site().storeUrl, batch.commits);
  const { why, status, retryAfter } = await send(delivery, hook, message, gone);
  if (gone.aborted) return 'ended';
  const now = clock();
  if (why === null) {
    progress.put(hook.id, afterSuccess(sending, batch.to, now));
    witness.taken(hook.id, batch.commits.flatMap(({ changes }) => changes).length);
    if (kept.failingSince !== null) witness.recovered(hook.id);
    return 'taken';
  }
  const failed = afterFailure(sending, { now, error: why, retryAfter, random: delivery.random() });
  progress.put(hook.id, failed);
  witness.failed(hook.id, why, kept.failingSince === null);
  if (status !== 410 && !isHopeless(failed, now)) return 'failed';
  await giveUp(delivery, hook, status === 410 ? 'gone' : 'failing');
  return 'ended';
}

async function giveUp({ stop, witness }: Delivery, { id }: Hook, why: StopReason): Promise<void> {
  await stop(id, why);
  witness.stopped(id, why);
}

export interface DeliveryOutcome {
  /** Null: the message was accepted. */
  readonly why: string | null;
  readonly status: number;
  readonly retryAfter: number;
}

export async function send(
  { poster, clock }: Pick<Delivery, 'poster' | 'clock'>,
  hook: Hook,
  message: Message,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const headers = signedHeaders(message, hook, clock());
  const answer = await poster.post(hook.address, { headers, body: message.body, signal });
  if (!answer.ok) return { why: answer.why, status: 0, retryAfter: 0 };
  const { status, retryAfter } = answer;
  const isTaken = status >= 200 && status < 300;
  return { why: isTaken ? null : `status ${status}`, status, retryAfter };
}

/** Collects the next message; one whose delivery had begun covers the same commits again (`upTo`). */
async function gather(
  { source, journal, turn }: MessageGathering,
  { hook, viewer }: { readonly hook: Hook; readonly viewer: Viewer },
  { position, upTo }: Pick<Progress, 'position' | 'upTo'>,
): Promise<ChangeBatch> {
  const isWanted = wantedByHook(hook);
  const commits: ToldCommit[] = [];
  const end = upTo ?? Number.POSITIVE_INFINITY;
  let changes = 0;
  let to = position;
  for (let pages = 0; pages < maxPages && to < end && changes < maxChanges; pages += 1) {
    await turn();
    const page = journal.after(to);
    if (page.commits.length === 0) break;
    for (const commit of page.commits) {
      if (to >= end || changes >= maxChanges) break;
      const visible = visibleIn(commit, { viewer, model: source.model() }, isWanted);
      if (visible !== null) {
        const commit = withMessages(visible, hook, source.model());
        commits.push(commit);
        changes += commit.changes.reduce((sum, change) => sum + weightOf(change), 0);
      }
      to = commit.position;
    }
  }
  return { commits, to, isAll: to >= source.model().position };
}

/** A message from a visitor is as long as many changes. */
function weightOf({ message }: ToldChange): number {
  return message === undefined ? 1 : 25;
}

function wantedByHook({ resources, changes, statuses }: HookFilter): (change: Change, fact: Fact) => boolean {
  const fits = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);
  return ({ resource, what }, fact) => {
    if (!fits(resources, resource) || !fits(changes, what)) return false;
    if (statuses.length === 0 || fact.about !== 'entry') return true;
    return [fact.before, fact.after].some((standing) => standing !== null && statuses.includes(standing.status));
  };
}

export function afterFailure(before: Progress, { now, error, retryAfter, random }: Failed): Progress {
  const attempts = before.attempts + 1;
  const pause = Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20)) * (1 + random / 5);
  const asked = Math.min(longestAsked, retryAfter * 1000);
  const nextAt = now + Math.round(Math.max(pause, asked));
  return { ...before, attempts, error, nextAt, failingSince: before.failingSince ?? now };
}

export function afterSuccess({ round }: Progress, position: number, now: number): Progress {
  return { position, upTo: null, round, failingSince: null, attempts: 0, nextAt: 0, error: '', deliveredAt: now };
}

/** Milliseconds until the next attempt. The clock that set a time farther off than the longest pause was ahead. */
function pauseLeft({ nextAt }: Progress, now: number): number {
  return nextAt - now > longestAsked ? 0 : nextAt - now;
}

export function isHopeless({ failingSince }: Progress, now: number): boolean {
  return failingSince !== null && now - failingSince >= retryPeriod;
}
