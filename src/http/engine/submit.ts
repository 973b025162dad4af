import { isRefusal } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { TextResults, withTexts } from '#text/suspended.ts';
import { innerAnswer, innerInputOf, isInnerCommand, NO_ROUTE, NOT_ALLOWED, turnedDown } from './inner.ts';
import type { Inner, InnerCall } from './inner-calls.ts';
import { hasGone, type Input } from './input.ts';
import { retryKey } from './retry.ts';
import { type Ahead, inSession, outcomeOf, prepareAhead, type RunOutcome, refusedOutcome } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import type { FoundEndpoint } from './table.ts';
import type { Answer, EngineHost } from './types.ts';
import { decide, rehearse, writeInSession } from './write.ts';

export interface Submitted {
  readonly outcome: RunOutcome;
  /** Log position after a write; null if nothing was submitted. */
  readonly position: number | null;
}

/** Carries out a write in a session, unless it can be decided without one: a refusal, or an answer that changes nothing. */
export async function submit<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { found, asker: whoAsks }: { readonly found: FoundEndpoint<M, S>; readonly asker: Asker },
): Promise<Submitted> {
  const { host } = runtime;
  const { correlationId } = whoAsks;
  const viewer = isNobodys(found) ? anonymous : whoAsks.viewer;
  const asker = { viewer, correlationId };
  const results = new TextResults({ waits: host.runText !== undefined });
  const prepared = () => {
    const ahead = prepareAhead(found, input, { viewer, model: host.model() });
    return { ahead, answered: answerAhead(runtime, ahead, { input, asker }) };
  };
  const { ahead, answered } = await withTexts(host.runText, (within) => within(prepared), {
    results,
    isGone: hasGone(input.sent),
  });
  if (answered !== null) return { outcome: answered, position: null };
  if (host.closed !== undefined) return { outcome: refusedOutcome(host.closed, viewer), position: null };
  const run = input.method === 'HEAD' ? rehearse : writeInSession;
  const written = decide(runtime, { asker, results, sent: input.sent }, (place) =>
    run(place, inSession(ahead, input, place), input),
  );
  const { value, position, wrote } = await written;
  // A GET that may write but did not is a read.
  const isRead = input.method === 'GET' || input.method === 'HEAD';
  return { outcome: value, position: value.replayed ?? (wrote || !isRead ? position : null) };
}

function isNobodys<M, S extends M>({ endpoint: { endpoint } }: FoundEndpoint<M, S>): boolean {
  return 'runsAsAnonymous' in endpoint && endpoint.runsAsAnonymous === true;
}

class NeedsSession extends Error {
  override readonly name = 'NeedsSession';
}

/** The outcome of a write that can be decided without a session, else null. Runs the endpoint's `prepare` unless the write is refused. */
function answerAhead<M, S extends M>(
  runtime: Runtime<M, S>,
  ahead: Ahead<M, S>,
  { input, asker }: { readonly input: Input; readonly asker: Asker },
): RunOutcome | null {
  const { call, found } = ahead;
  const key = retryKey(input, call.viewer);
  if (isRefusal(key)) return outcomeOf<M, S, M>(ahead, key);
  // Only a session can tell whether a request with an `Idempotency-Key` was carried out before.
  const isNew = key === null;
  const refusal = ahead.refusal ?? ahead.denied;
  if (refusal !== null) return isNew && isFinal(ahead, runtime.host) ? outcomeOf<M, S, M>(ahead, refusal) : null;
  const { endpoint } = found.endpoint;
  if (!('command' in endpoint)) return null;
  endpoint.prepare?.(call);
  const answer = endpoint.unwritten?.(call) ?? withoutSession(() => endpoint.ahead?.(call, innerAhead(runtime, asker)));
  return answer === null || !isNew ? null : outcomeOf<M, S, M>(ahead, answer);
}

/**
 * Whether a session would refuse the write as well: the checks did not read the model, or the model has all of the log. Anonymous
 * requests are refused even where this node's model lags behind.
 */
function isFinal<M, S extends M>({ call }: Ahead<M, S>, host: EngineHost<M, S>): boolean {
  return !call.hasLooked || call.viewer.id === anonymous.id || host.isCurrent?.() !== false;
}

function innerAhead<M, S extends M>(runtime: Runtime<M, S>, asker: Asker): Inner {
  const { host, table } = runtime;
  const { viewer } = asker;
  return {
    attempt: (work) => work(),
    prepare(request) {
      const input = innerInputOf(request);
      const model = host.model();
      const found = input.path.endsWith('/') ? null : table.find(input.method, input.path, model);
      if (found === null) return turnedDown(refusedOutcome(NO_ROUTE, viewer));
      const ahead = prepareAhead(found, input, { viewer, model });
      const isKnown = retryKey(input, viewer) === null && (!ahead.isProvisional || isFinal(ahead, host));
      const refusal = isInnerCommand(found) ? ahead.refusal : NOT_ALLOWED;
      const outcome = answerAhead(runtime, { ...ahead, refusal }, { input, asker });
      if (!isKnown) return unknown;
      const run = outcome?.refused ? () => innerAnswer(outcome) : needsSession;
      return { fault: refusal === null ? null : innerAnswer(refusedOutcome(refusal, viewer)), run };
    },
  };
}

function withoutSession(work: () => Answer | null | undefined): Answer | null {
  try {
    return work() ?? null;
  } catch (error) {
    if (error instanceof NeedsSession) return null;
    throw error;
  }
}

function needsSession(): never {
  throw new NeedsSession();
}

/** A call of which only a session can tell whether it is refused. */
const unknown: InnerCall = {
  get fault() {
    return needsSession();
  },
  run: needsSession,
};
