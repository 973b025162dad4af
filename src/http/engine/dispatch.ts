import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { asWriter, type Viewer } from '#domain/user/roles.ts';
import type { Cost } from '#text/cost.ts';
import type { ReadLimit } from '#text/read-time.ts';
import { readWithTexts, TextResults } from '#text/suspended.ts';
import type { Watch } from './cache.ts';
import { sentIn } from './call.ts';
import { wrongType } from './faults.ts';
import { hasGone, type Input } from './input.ts';
import type { UnreadBody } from './json-body.ts';
import { describeAt } from './options.ts';
import { parameterOf, pastOf, strangerRefusal } from './past.ts';
import type { ListBounds } from './present.ts';
import { checkedCall, type Prepared, type RunOutcome, refusedOutcome, runQuery } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import { submit } from './submit.ts';
import type { FoundEndpoint } from './table.ts';
import type { EngineHost } from './types.ts';
import { carryUpload } from './upload.ts';

const CLOSED = refuse('rest_forbidden_token', 'This is not open to tokens.');

export interface Dispatched<M> {
  readonly outcome: RunOutcome;
  /** Pattern of the route; null when there was none. */
  readonly route: string | null;
  /** Log position after a write; null after a read. */
  readonly position: number | null;
  readonly model: M;
  /** Whether `model` shows an earlier state. */
  readonly isPast?: boolean;
}

interface DispatchOptions<M, S extends M> {
  readonly asker: Asker;
  readonly watch: Watch;
  readonly unread?: UnreadBody | null;
  readonly time: ReadLimit | null;
  readonly bounds: ListBounds;
  /** The endpoint, if it has been looked up already; null: there is none. */
  readonly matched: FoundEndpoint<M, S> | null | undefined;
}

type Dispatch<M> = Dispatched<M> | Promise<Dispatched<M>>;

const NO_ROUTE = refuse('rest_no_route', 'No route was found matching the URL and request method.');
const EVERYTHING = ['*'];

/** Carries out a request: route, checks, permission, handler. */
export function dispatch<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { asker: whoAsks, watch, unread = null, time, bounds, matched }: DispatchOptions<M, S>,
): Dispatch<M> {
  const model = runtime.host.model();
  const { viewer: who } = whoAsks;
  if (input.method === 'OPTIONS') {
    watch.add(null);
    return { ...describeAt(runtime, input, { viewer: who, model }), position: null, model };
  }
  const found = matched === undefined ? runtime.table.find(input.method, input.path, model) : matched;
  if (found === null) return { outcome: refusedOutcome(NO_ROUTE, who), route: null, position: null, model };
  const viewer = boundedAt(who, found);
  if (isRefusal(viewer)) {
    watch.add(null);
    return { outcome: refusedOutcome(viewer, who), route: found.route.route.pattern, position: null, model };
  }
  const { endpoint } = found.endpoint;
  if ('query' in endpoint) return read(runtime, input, { found, viewer, watch, time, bounds });
  const asker = viewer === who ? whoAsks : { ...whoAsks, viewer };
  watch.add(null);
  const route = found.route.route.pattern;
  const { closed } = runtime.host;
  if (closed !== undefined && !('unwritten' in endpoint)) {
    return { outcome: refusedOutcome(closed, viewer), route, position: null, model };
  }
  const written =
    'command' in endpoint
      ? submit(runtime, input, { found, asker })
      : carryUpload(runtime, input, { found, endpoint, asker, unread });
  return written.then(({ outcome, position }) => ({ outcome, route, position, model: runtime.host.model() }));
}

/** The same for a read issued by the server itself, against `model`. */
export function dispatchRead<M, S extends M>(
  { table, host }: Runtime<M, S>,
  input: Input,
  { viewer: who, model, isPast, watch, cost, time, isGone }: InnerRead<M>,
): RunOutcome | Promise<RunOutcome> {
  const found = table.find('GET', input.path, model);
  if (found === null || !('query' in found.endpoint.endpoint)) return refusedOutcome(NO_ROUTE, who);
  const viewer = boundedAt(who, found);
  if (isRefusal(viewer)) return refusedOutcome(viewer, who);
  const { past } = found.endpoint.endpoint;
  const carryOut = () => {
    const prepared = checkedCall(found, input, { viewer, model });
    const refusal = prepared.refusal ?? (isPast ? (past?.permission(prepared.call) ?? null) : null);
    return query({ ...prepared, refusal }, watch);
  };
  const results = new TextResults({ cost, time });
  return readWithTexts(host.runText, carryOut, { results, isGone });
}

interface InnerRead<M> {
  readonly viewer: Viewer;
  readonly model: M;
  /** Whether `model` shows an earlier state. */
  readonly isPast: boolean;
  readonly watch: Watch;
  readonly cost: Cost;
  readonly time: ReadLimit | null;
  readonly isGone: () => boolean;
}

function read<M, S extends M>(
  { host }: Runtime<M, S>,
  input: Input,
  { found, viewer, watch, time, bounds }: Read<M, S>,
): Dispatch<M> {
  const stranger = pastOfStranger(host, { found, viewer }, input);
  if (stranger !== null) {
    const { route } = found.route;
    const outcome = refusedOutcome(stranger, viewer);
    watch.add(null);
    return { outcome, route: route.pattern, position: null, model: host.model() };
  }
  const then = modelThen(host, found, input);
  // The past does not change, but the position that a time stands for does, and so do permissions.
  if (then !== null) watch.add(EVERYTHING);
  let model = host.model();
  const carryOut = () => {
    model = then === null || isRefusal(then) ? host.model() : then;
    const prepared = checkedCall(found, input, { viewer, model });
    const refusal = prepared.refusal ?? (isRefusal(then) ? then : null);
    return query({ ...prepared, refusal, bounds }, watch);
  };
  const results = new TextResults({ time });
  const outcome = readWithTexts(host.runText, carryOut, { results, isGone: hasGone(input.sent) });
  const isPast = then !== null;
  const route = found.route.route.pattern;
  const done = (value: RunOutcome) => ({ outcome: value, route, position: null, model, isPast });
  return outcome instanceof Promise ? outcome.then(done) : done(outcome);
}

interface Read<M, S extends M> {
  readonly found: FoundEndpoint<M, S>;
  readonly viewer: Viewer;
  readonly watch: Watch;
  readonly time: ReadLimit | null;
  readonly bounds: ListBounds;
}

/** Cache versions are taken before the model is read, so that no change in between is missed. */
function query<M, S extends M>(prepared: Prepared<M, S>, watch: Watch): RunOutcome | Promise<RunOutcome> {
  const { endpoint } = prepared.found.endpoint;
  if (prepared.refusal !== null) watch.add(null);
  else if ('query' in endpoint) {
    const { depends } = endpoint;
    watch.add(depends === undefined ? EVERYTHING : (depends?.(prepared.call) ?? null));
  }
  const outcome = runQuery(prepared);
  return outcome instanceof Promise ? outcome.then((value) => noted(value, watch)) : noted(outcome, watch);
}

function noted(outcome: RunOutcome, watch: Watch): RunOutcome {
  if (outcome.dependsOnMore === 'everything') watch.addAll();
  if (outcome.dependsOnMore === 'time') watch.add(null);
  return outcome;
}

/** The refusal of a request for the past by somebody who may not see it; the past is not read for it. */
function pastOfStranger<M, S extends M>(
  host: EngineHost<M, S>,
  { found, viewer }: Pick<Read<M, S>, 'found' | 'viewer'>,
  input: Input,
): Refusal | null {
  const { endpoint } = found.endpoint;
  const past = pastOf(endpoint);
  if (past === undefined || !('query' in endpoint) || (sentIn(input, parameterOf(past)) ?? null) === null) return null;
  const now = checkedCall(found, input, { viewer, model: host.model() });
  return now.refusal === null ? strangerRefusal(endpoint, now.call) : null;
}

/** The past model that `as_of` names, if the endpoint takes that parameter; null for the present. */
function modelThen<M, S extends M>(
  host: EngineHost<M, S>,
  { endpoint }: FoundEndpoint<M, S>,
  input: Input,
): M | Refusal | null {
  const past = pastOf(endpoint.endpoint);
  if (past === undefined) return null;
  const name = parameterOf(past);
  const value = sentIn(input, name) ?? null;
  if (value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') {
    const then = host.modelAt(String(value));
    return isRefusal(then) ? { ...then, message: then.message.replace('as_of', name) } : then;
  }
  const { code, message, data } = wrongType(name, 'string');
  return refuse('rest_invalid_param', `Invalid parameter(s): ${name}`, {
    params: { [name]: message },
    details: { [name]: { code, message, data } },
  });
}

/** The viewer as whom an endpoint runs, or a refusal. A token opens only some routes, and fewer for writes than for reads. */
function boundedAt<M, S extends M>(viewer: Viewer, { route, endpoint }: FoundEndpoint<M, S>): Viewer | Refusal {
  const { token } = viewer;
  if (token === undefined) return viewer;
  const { tokens } = route.route;
  if ('query' in endpoint.endpoint) return tokens === undefined ? CLOSED : viewer;
  const isOpen = tokens === 'all' && !endpoint.endpoint.methods.includes('DELETE');
  return isOpen ? asWriter(viewer) : CLOSED;
}
