import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { Cost, unspent } from '#text/cost.ts';
import type { ReadLimit } from '#text/read-time.ts';
import { NeedsTexts, readWithTexts, TextResults } from '#text/suspended.ts';
import { type Carrier, innerOf, type Workplace } from './inner.ts';
import { hasGone, type Input } from './input.ts';
import { type GroupedText, LateTexts } from './late-texts.ts';
import { readBest } from './moving.ts';
import { mapTexts } from './present.ts';
import { keepable, replayOf, requestDigest, retryKey } from './retry.ts';
import { type Prepared, type RunOutcome, refusedOutcome, runCommand } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import type { HostWritten, Sent } from './types.ts';

interface Deciding {
  readonly asker: Asker;
  /** What was prepared for the decision. */
  readonly results: TextResults;
  readonly sent: Sent;
}

const NOT_MEANT = refuse('rest_not_carried_out', 'What only asks for the head of an answer has no effect.');

const UNKEPT = refuse(
  'rest_idempotency_key_not_supported',
  'The answer has a secret, which is not kept: send the request without Idempotency-Key.',
);

/**
 * Carries out a write in a session. With an `Idempotency-Key` it is carried out once: the answer to a write that changed something
 * is repeated; a refused one is decided again.
 */
export function writeInSession<M, S extends M>(
  place: Workplace<M, S>,
  prepared: Prepared<M, S, S>,
  input: Input,
): RunOutcome {
  const { session, runtime, asker } = place;
  const { endpoint } = prepared.found.endpoint;
  const isUnkept = 'unkept' in endpoint && endpoint.unkept === true;
  const sent = retryKey(input, asker.viewer);
  const key = !isUnkept || sent === null ? sent : input.method === 'GET' || input.method === 'HEAD' ? null : UNKEPT;
  const inner = innerOf(place, carrierIn(place));
  if (key === null) return runCommand(prepared, inner);
  if (isRefusal(key)) return runCommand({ ...prepared, refusal: key }, inner);
  const request = requestDigest(input);
  const kept = runtime.host.keptAnswer(session, key);
  if (kept !== null) {
    const at = { position: kept.position, viewer: asker.viewer };
    const again = { texts: place.late, make: (texts: readonly GroupedText[]) => runtime.host.makeAgain(texts, at) };
    const replay = replayOf(kept, request, again);
    return isRefusal(replay) ? runCommand({ ...prepared, refusal: replay }, inner) : replay;
  }
  const outcome = runCommand(prepared, inner);
  if (outcome.idle) return outcome;
  const answer = keepable(outcome, request, place.late);
  const showsOwn = 'showsOwn' in endpoint && endpoint.showsOwn === true;
  runtime.host.keepAnswer(session, key, showsOwn ? { ...answer, own: true } : answer);
  return outcome;
}

/** The outcome that a write would have. Nothing it stages is kept. */
export function rehearse<M, S extends M>(
  place: Workplace<M, S>,
  prepared: Prepared<M, S, S>,
  input: Input,
): RunOutcome {
  let outcome = refusedOutcome(NOT_MEANT, place.asker.viewer);
  place.runtime.host.attempt(place.session, () => {
    outcome = writeInSession(place, prepared, input);
    return NOT_MEANT;
  });
  return outcome;
}

function carrierIn<M, S extends M>(place: Workplace<M, S>): Carrier<M, S> {
  return {
    carryOut: (prepared, input) => writeInSession(place, prepared, input),
    isKnown: (input) => {
      const key = retryKey(input, place.asker.viewer);
      return typeof key === 'string' && place.runtime.host.keptAnswer(place.session, key) !== null;
    },
  };
}

/**
 * Submits a write. It is decided once, or once more if only its session shows a long text that the answer needs: nothing that a decision
 * produces itself is prepared by beginning it again. Texts of the answer that show other data are made after the commit.
 */
export async function decide<M, S extends M>(
  runtime: Runtime<M, S>,
  { asker, results, sent }: Deciding,
  work: (place: Workplace<M, S>) => RunOutcome,
): Promise<HostWritten<RunOutcome>> {
  const { host } = runtime;
  let late = new LateTexts(asker.correlationId);
  const attempt = (mayWait: boolean) =>
    host.submit({ viewer: asker.viewer, correlationId: asker.correlationId }, (session) => {
      late = new LateTexts(asker.correlationId);
      return results.decide(() => work({ runtime, asker, session, late }), { mayWait });
    });
  const twice = async () => {
    try {
      return await attempt(true);
    } catch (error) {
      if (!(error instanceof NeedsTexts) || host.runText === undefined) throw error;
      host.decidesAgain?.();
      await error.until(results, host.runText);
      return attempt(false);
    }
  };
  const written = await (sent.waits?.during('write', twice()) ?? twice());
  if (late.areNone || hasGone(sent)()) return written;
  const filled = await fill(runtime, late, { ...written, viewer: asker.viewer, isGone: hasGone(sent) });
  return { ...written, value: { ...written.value, ...filled } };
}

interface Filling extends HostWritten<RunOutcome> {
  readonly viewer: Asker['viewer'];
  readonly isGone: () => boolean;
}

/** Puts the late texts into an answer, as its commit has left what they show. */
async function fill<M, S extends M>(
  { host }: Runtime<M, S>,
  late: LateTexts,
  { value: { shown, cost = unspent }, position, viewer, isGone }: Filling,
): Promise<Pick<RunOutcome, 'shown' | 'cost'>> {
  const here = (time: ReadLimit | null) => {
    const model = host.modelAfter(position);
    const results = new TextResults({ cost: new Cost(cost), time });
    const filled = readWithTexts(host.runText, () => mapTexts(shown, late.filler(model)), { results, isGone });
    const done = (value: typeof shown) => ({ shown: value, cost: results.cost.standing });
    return filled instanceof Promise ? filled.then(done) : done(filled);
  };
  const { elsewhere } = host;
  if (elsewhere === undefined) return here(null);
  const there = async () => {
    const made = await elsewhere.texts({ groups: late.groups, viewer, position, cost });
    return made === null ? here(null) : { shown: mapTexts(shown, late.fillerWith(made.groups)), cost: made.cost };
  };
  return readBest(elsewhere, { here, there });
}
