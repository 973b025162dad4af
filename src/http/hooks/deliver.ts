import type { Hook } from '#domain/hooks/area.ts';
import type { StopReason } from '#domain/hooks/events.ts';
import type { HookProgress, Progress } from '#domain/hooks/progress.ts';
import { viewerOf } from '#domain/user/roles.ts';
import type { Poster } from '#outgoing/post.ts';
import { pause } from '../feed/pause.ts';
import { type ChangeBatch, gather, type MessageGathering } from './gather.ts';
import { changesMessage, type Message, signedHeaders } from './message.ts';
import { afterFailure, afterSuccess, isHopeless, pauseLeft } from './retry.ts';

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

/** Minimum milliseconds between messages once a hook is up to date: changes in between share the next message. */
const closest = 100;
/** Longest sleep without checking the state, in milliseconds. */
const nap = 60_000;
/** Positions without anything to send after which progress is stored; a killed process may read them again. */
const unnoted = 1000;

/** Sends a hook its changes, one message after the other, until it is stopped or the signal is aborted. */
export async function deliver(delivery: Delivery, hook: Hook, gone: AbortSignal): Promise<void> {
  const { source, progress, clock, sleep } = delivery;
  let reached = progress.of(hook.id)?.position ?? 0;
  while (!gone.aborted) {
    const kept = progress.of(hook.id);
    const user = source.model().user(hook.user);
    if (kept === null) return;
    if (user === undefined || user.disabled) return giveUp(delivery, hook, 'account');
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
  const message = changesMessage(place, source.model().site().url, batch.commits);
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
