import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { Cost, unspent, withCost } from '#text/cost.ts';
import { compute, LONG, PreparedTexts } from '#text/prepared-texts.ts';
import { isRecord } from '#text/shapes.ts';
import { versionIn, versionTag } from '../message/etag.ts';
import { closedTo } from './bounds.ts';
import { type CheckedCall, checkedCall } from './call.ts';
import { heldIn } from './held-in.ts';
import { holdBack, readHeld } from './hold.ts';
import type { Asker, EngineHost, HeldLook, HostWritten, Runtime } from './host.ts';
import { type Deciding, innerEndpoint, innerInputOf, innerOf, innerReads, isInnerCommand } from './inner.ts';
import { hasGone, type Input } from './input.ts';
import { type GroupedText, LateTexts } from './late-texts.ts';
import { outcomeOf, type RequestOutcome, refusedOutcome } from './outcome.ts';
import { readyPool } from './pool.ts';
import { mapTexts } from './present.ts';
import { keepable, replayOf, requestDigest, retryKey } from './retry.ts';
import type { FoundEndpoint } from './table.ts';
import type { Call, Inner, InnerRequest, Route } from './types.ts';

export interface WriteOutcome {
  readonly outcome: RequestOutcome;
  /** Log position after a write; null if nothing was submitted. */
  readonly position: number | null;
}

export interface WriteRequest<M, S extends M> {
  readonly found: FoundEndpoint<M, S>;
  readonly asker: Asker;
}

const NOT_MEANT = refuse('rest_not_carried_out', 'What only asks for the head of an answer has no effect.');

const UNKEPT = refuse(
  'rest_idempotency_key_not_supported',
  'The answer has a secret, which is not kept: send the request without Idempotency-Key.',
);

/**
 * Carries out a write: checks and permission, its long texts, then the decision in a session. It is answered without a session if it is
 * refused, or if nothing has to be written.
 */
export async function carryWrite<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { found, asker: whoAsks }: WriteRequest<M, S>,
): Promise<WriteOutcome> {
  const { host } = runtime;
  const viewer = isNobodys(found) ? anonymous : whoAsks.viewer;
  const asker = { viewer, correlationId: whoAsks.correlationId };
  const checked = checkedCall(found, input, { viewer, model: host.model(), textLimit: textLimitOf(host, found) });
  const texts = preparedTexts(runtime);
  const into = heldIn(host, input, { viewer, found });
  if (into !== null) {
    const hold = (deciding: Deciding<M, S>) => holdBack(deciding, { input, found, into, carry: carrierIn(deciding) });
    const work = (deciding: Deciding<M, S>) =>
      once(deciding, { input, found }, (refusal) =>
        refusal === null ? hold(deciding) : refusedOutcome(refusal, viewer),
      );
    const { value, position } = await decide(runtime, { asker, texts, input }, work);
    return { outcome: value, position };
  }
  const refusal = checked.refusal ?? found.endpoint.endpoint.permission(checked.call);
  const answered = beforeSession(runtime, { ...checked, refusal }, { input, asker });
  if (answered !== null) return { outcome: answered, position: null };
  const preparing = refusal === null ? prepareTexts(runtime, checked, { asker, texts }) : undefined;
  if (preparing !== undefined) await preparing;
  const closed = closedTo(host, whoAsks.viewer);
  if (closed !== null) return { outcome: refusedOutcome(closed, whoAsks.viewer), position: null };
  const run = input.method === 'HEAD' ? rehearse : decideOnce;
  const { value, position, wrote } = await decide(runtime, { asker, texts, input }, (deciding) =>
    run(deciding, inSession(checked, input, deciding), input),
  );
  // A GET that may write but did not is a read.
  const isRead = input.method === 'GET' || input.method === 'HEAD';
  return { outcome: value, position: value.replayed ?? (wrote || !isRead ? position : null) };
}

function isNobodys<M, S extends M>({ endpoint: { endpoint } }: FoundEndpoint<M, S>): boolean {
  return 'runsAsAnonymous' in endpoint && endpoint.runsAsAnonymous === true;
}

/** Maximum bytes of a text. Callbacks of services send style sheets, and their routes have limits of their own. */
function textLimitOf<M, S extends M>({ textLimit }: EngineHost<M, S>, found: FoundEndpoint<M, S>): number | undefined {
  return isNobodys(found) ? undefined : textLimit;
}

/** The texts of a write, which are worked on in the pool if it is ready. */
export function preparedTexts<M, S extends M>({ host }: Runtime<M, S>): PreparedTexts {
  return new PreparedTexts(async (works) => (await readyPool(host.pool)?.compute(works)) ?? works.map(compute));
}

/** The outcome of a write that can be decided without a session, else null. */
function beforeSession<M, S extends M>(
  runtime: Runtime<M, S>,
  checked: CheckedCall<M, S>,
  { input, asker }: { readonly input: Input; readonly asker: Asker },
): RequestOutcome | null {
  const { host } = runtime;
  const { call } = checked;
  const key = retryKey(input, call.viewer);
  if (isRefusal(key)) return outcomeOf<M, S, M>(checked, key);
  const { refusal } = checked;
  const unwritten = refusal === null ? unwrittenOutcome(runtime, checked, asker) : null;
  // Only a session can tell whether a request with an `Idempotency-Key` was carried out before.
  if (key !== null || unwritten !== null) return unwritten;
  return refusal !== null && isFinal(call, host) ? outcomeOf<M, S, M>(checked, refusal) : null;
}

function unwrittenOutcome<M, S extends M>(
  runtime: Runtime<M, S>,
  checked: CheckedCall<M, S>,
  asker: Asker,
): RequestOutcome | null {
  const { endpoint } = checked.found.endpoint;
  if (!('unwritten' in endpoint)) return null;
  return withCost(new Cost(), () => {
    const answer = endpoint.unwritten?.(checked.call, innerReads(runtime, asker, runtime.host.model())) ?? null;
    return answer === null ? null : outcomeOf<M, S, M>(checked, answer);
  });
}

/**
 * Whether a session would refuse the write as well: the checks did not read the model, or the model has all of the log. Anonymous
 * requests are refused even where this node's model lags behind.
 */
function isFinal<M, S extends M>({ hasLooked, viewer }: CheckedCall<M, S>['call'], host: EngineHost<M, S>): boolean {
  return !hasLooked || viewer.id === anonymous.id || host.isCurrent?.() !== false;
}

interface Preparing {
  readonly asker: Asker;
  readonly texts: PreparedTexts;
}

/** Works on the long texts of a write, or of the writes of a batch, that would be carried out. */
function prepareTexts<M, S extends M>(
  runtime: Runtime<M, S>,
  { found, call }: CheckedCall<M, S>,
  preparing: Preparing,
): Promise<void> | undefined {
  const { endpoint } = found.endpoint;
  if (!('command' in endpoint)) return undefined;
  if (endpoint.requests === undefined) return endpoint.prepare?.(call, preparing.texts);
  const waits = endpoint
    .requests(call)
    .filter(mayTakeLong)
    .flatMap((request) => {
      const input = innerInputOf(request);
      const model = runtime.host.model();
      const inner = innerEndpoint(runtime, input, model);
      if (inner === null || !isInnerCommand(inner) || !('prepare' in inner.endpoint.endpoint)) return [];
      const { viewer } = preparing.asker;
      const checked = checkedCall(inner, input, { viewer, model, textLimit: runtime.host.textLimit });
      if (checked.refusal !== null || inner.endpoint.endpoint.permission(checked.call) !== null) return [];
      return prepareTexts(runtime, checked, preparing) ?? [];
    });
  return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
}

/** Whether a request of a batch may have something to prepare. Others need not be checked twice. */
function mayTakeLong({ body }: InnerRequest): boolean {
  const isLong = (value: unknown): boolean =>
    typeof value === 'string' ? value.length >= LONG : isRecord(value) && Object.values(value).some(isLong);
  return 'password' in body || isLong(body);
}

/** The call of a write in its session. What the checks found on the read model may differ there. */
function inSession<M, S extends M>(
  checked: CheckedCall<M, S>,
  input: Input,
  { session, late, runtime }: Deciding<M, S>,
): CheckedCall<M, S, S> {
  const { found, call, isProvisional } = checked;
  if (!isProvisional) return { ...checked, call: call.withModel(session, late) };
  const textLimit = textLimitOf(runtime.host, found);
  return checkedCall(found, input, { viewer: call.viewer, model: session, late, textLimit });
}

/**
 * Decides a write in its session. With an `Idempotency-Key` it is carried out once: the answer to a write that changed something
 * is repeated; a refused one is decided again.
 */
export function decideOnce<M, S extends M>(
  deciding: Deciding<M, S>,
  checked: CheckedCall<M, S, S>,
  input: Input,
): RequestOutcome {
  const inner = innerOf(deciding, carrierIn(deciding));
  return once(deciding, { found: checked.found, input }, (refusal) =>
    runCommand(refusal === null ? checked : { ...checked, refusal }, inner),
  );
}

/** Carries out a write, or repeats its answer. `run` gets why it may not be carried out; null: it may. */
function once<M, S extends M>(
  deciding: Deciding<M, S>,
  { found, input }: { readonly found: FoundEndpoint<M, S>; readonly input: Input },
  run: (refusal: Refusal | null) => RequestOutcome,
): RequestOutcome {
  const { session, runtime, asker } = deciding;
  const { endpoint } = found.endpoint;
  const isUnkept = 'unkept' in endpoint && endpoint.unkept === true;
  const sent = retryKey(input, asker.viewer);
  const key = !isUnkept || sent === null ? sent : input.method === 'GET' || input.method === 'HEAD' ? null : UNKEPT;
  if (key === null) return run(null);
  if (isRefusal(key)) return run(key);
  const request = requestDigest(input);
  const kept = runtime.host.keptAnswer(session, key);
  if (kept !== null) {
    const at = { position: kept.position, viewer: asker.viewer };
    const again = { texts: deciding.late, make: (texts: readonly GroupedText[]) => runtime.host.makeAgain(texts, at) };
    const replay = replayOf(kept, request, again);
    return isRefusal(replay) ? run(replay) : replay;
  }
  const outcome = run(null);
  if (outcome.idle || outcome.refused) return outcome;
  const answer = keepable(outcome, request, deciding.late);
  const showsOwn = 'showsOwn' in endpoint && endpoint.showsOwn === true;
  runtime.host.keepAnswer(session, key, showsOwn ? { ...answer, own: true } : answer);
  return outcome;
}

/** The outcome that a write would have. Nothing it stages is kept. */
function rehearse<M, S extends M>(
  deciding: Deciding<M, S>,
  checked: CheckedCall<M, S, S>,
  input: Input,
): RequestOutcome {
  let outcome = refusedOutcome(NOT_MEANT, deciding.asker.viewer);
  deciding.runtime.host.attempt(deciding.session, () => {
    outcome = decideOnce(deciding, checked, input);
    return NOT_MEANT;
  });
  return outcome;
}

function carrierIn<M, S extends M>(deciding: Deciding<M, S>): Parameters<typeof innerOf<M, S>>[1] {
  return {
    carryOut: (checked, input) => decideOnce(deciding, checked, input),
    isKnown: (input) => {
      const key = retryKey(input, deciding.asker.viewer);
      return typeof key === 'string' && deciding.runtime.host.keptAnswer(deciding.session, key) !== null;
    },
  };
}

/** Carries out a write within the session of its call: permission, precondition, command. */
function runCommand<M, S extends M>(checked: CheckedCall<M, S, S>, inner: Inner): RequestOutcome {
  const { call, found } = checked;
  const { endpoint } = found.endpoint;
  if (checked.refusal !== null) return outcomeOf(checked, checked.refusal);
  if (!('command' in endpoint)) throw new TypeError(`${found.route.route.pattern} has no command`);
  const refusal = endpoint.permission(call) ?? precondition(found.route.route, call);
  return outcomeOf(checked, refusal ?? inner.attempt(() => endpoint.command(call, inner)));
}

/**
 * Checks `If-Match` on a write: the item must still have one of the named versions; for `*` it need only exist. Routes without
 * `version` ignore the header.
 */
function precondition<M, S extends M>({ version }: Route<M, S>, call: Call<S>): Refusal | null {
  const header = call.request.header('if-match');
  if (header === undefined || version === undefined) return null;
  const current = version(call);
  const named = header.split(',').map(versionIn);
  const met = header.trim() === '*' || named.includes(current);
  if (met && current !== null) return null;
  const isTag = header.trim() === '*' || named.some((tag) => tag !== null);
  const message = isTag
    ? 'The item has been changed meanwhile: read it again, and send its ETag as If-Match.'
    : 'If-Match has no entity tag: send the ETag of the item as it was read, with its quotation marks.';
  return refuse('rest_precondition_failed', message, current === null ? {} : { etag: versionTag(current) });
}

interface Submitting {
  readonly asker: Asker;
  /** What was prepared for the decision. */
  readonly texts: PreparedTexts;
  readonly input: Input;
}

/** Submits a decision. Texts of the answer that show other data are made after the commit. */
export async function decide<M, S extends M>(
  runtime: Runtime<M, S>,
  { asker, texts, input: { sent } }: Submitting,
  work: (deciding: Deciding<M, S>) => RequestOutcome,
): Promise<HostWritten<RequestOutcome>> {
  let late = new LateTexts(asker.correlationId);
  const submitted = runtime.host.submit(asker, (session) => {
    late = new LateTexts(asker.correlationId);
    return texts.during(() => withCost(new Cost(), () => work({ runtime, asker, session, late })));
  });
  const written = await (sent.waits?.during('write', submitted) ?? submitted);
  if (late.areNone || hasGone(sent)()) return written;
  const filled = await withLateTexts(runtime, late, { ...written, viewer: asker.viewer });
  return { ...written, value: { ...written.value, ...filled } };
}

/** Puts the late texts into an answer, as its commit has left what they show. */
async function withLateTexts<M, S extends M>(
  { host }: Runtime<M, S>,
  late: LateTexts,
  { value: { shown, cost = unspent }, position, viewer }: HostWritten<RequestOutcome> & Pick<Asker, 'viewer'>,
): Promise<Pick<RequestOutcome, 'shown' | 'cost'>> {
  const made = await readyPool(host.pool)?.late({ groups: late.groups, viewer, position, cost });
  if (made) return { shown: mapTexts(shown, late.fillerWith(made.groups)), cost: made.cost };
  const spent = new Cost(cost);
  const filled = withCost(spent, () => mapTexts(shown, late.filler(host.modelAfter(position))));
  return { shown: filled, cost: spent.standing };
}

/** Reads the site as it will be once what is held in something has been carried out. */
export async function readInHeld<M, S extends M>(
  runtime: Runtime<M, S>,
  { input, asker, look }: { readonly input: Input; readonly asker: Asker; readonly look: HeldLook },
  read: (model: S) => RequestOutcome | Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  const work = (deciding: Deciding<M, S>) => readHeld({ deciding, look, read, carry: carrierIn(deciding) });
  return (await decide(runtime, { asker, texts: preparedTexts(runtime), input }, work)).value;
}
