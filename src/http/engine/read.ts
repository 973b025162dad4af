import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { Cost, withCost } from '#text/cost.ts';
import type { JsonText } from '#text/json.ts';
import { parseQuery } from '#text/query-string.ts';
import { isRecord, listOf } from '#text/shapes.ts';
import { boundedAt, NO_ROUTE } from './bounds.ts';
import type { Watch } from './cache.ts';
import { type CheckedCall, checkedCall, sentIn } from './call.ts';
import { wrongType } from './faults.ts';
import type { EngineHost, Runtime } from './host.ts';
import { type Input, innerInput } from './input.ts';
import { outcomeOf, type RequestOutcome, refusedOutcome } from './outcome.ts';
import { parameterOf, pastOf, pastRefusal, strangerRefusal } from './past.ts';
import { jsonOf, listFault, type Piece, type ShownAnswer } from './present.ts';
import type { FoundEndpoint } from './table.ts';

export const NOTHING: JsonText = '[]';
const EMPTY = new Set(['[]', '{}']);

/** The JSON of what a link leads to. */
export type Follow = (href: string) => JsonText;

interface Embedding {
  readonly follow: Follow;
  /** Maximum characters of a list. */
  readonly max: number;
}

/**
 * Embeds the records behind embeddable links: one list per relation, in the order of the links, with an empty list for a link that
 * is not embeddable. Each address is resolved once. `asked`: the value of `_embed`.
 */
export function embedded(shown: ShownAnswer, asked: unknown, { follow, max }: Embedding): ShownAnswer | Refusal {
  const relations = relationsIn(asked);
  const known = new Map<string, JsonText>();
  const once: Follow = (href) => {
    const text = known.get(href) ?? follow(href);
    known.set(href, text);
    return text;
  };
  if (shown.kind === 'item') return { kind: 'item', piece: embeddedIn(shown.piece, relations, once) };
  if (shown.kind !== 'list') return shown;
  const pieces: Piece[] = [];
  let length = 0;
  for (const piece of shown.pieces) {
    const whole = embeddedIn(piece, relations, once);
    length += whole.text.length;
    pieces.push(whole);
    const fault = listFault(max, { length, count: pieces.length });
    if (fault !== null) return fault;
  }
  return { kind: 'list', pieces };
}

/** The relations named by `_embed`; null for all of them. Only the query string may name them. */
function relationsIn(value: unknown): readonly unknown[] | null {
  if (value === '' || value === '0' || value === '1' || value === 'true') return null;
  const names = listOf(value) ?? [];
  return names.length === 0 ? null : names;
}

function embeddedIn(piece: Piece, relations: readonly unknown[] | null, follow: Follow): Piece {
  const members: string[] = [];
  for (const [relation, links] of linksIn(piece)) {
    if (relations !== null && !relations.includes(relation)) continue;
    const texts = links.map((link) => textFor(link, follow));
    if (texts.some((text) => !EMPTY.has(text))) members.push(`${JSON.stringify(relation)}:[${texts.join(',')}]`);
  }
  if (members.length === 0) return piece;
  return { ...piece, text: `${piece.text},"_embedded":{${members.join(',')}}` };
}

function textFor(link: unknown, follow: Follow): JsonText {
  if (!isRecord(link) || link['embeddable'] !== true || typeof link['href'] !== 'string') return NOTHING;
  return follow(link['href']);
}

function linksIn({ links }: Piece): [string, readonly unknown[]][] {
  const parsed: unknown = links === null ? null : JSON.parse(links);
  if (!isRecord(parsed)) return [];
  return Object.entries(parsed).flatMap(([relation, list]) => (Array.isArray(list) ? [[relation, list]] : []));
}

/** A read under way: synchronous from its beginning to its end, on one model. */
interface Reading<M, S extends M> {
  readonly runtime: Runtime<M, S>;
  readonly viewer: Viewer;
  readonly model: M;
  /** Whether `model` shows an earlier state. */
  readonly isPast: boolean;
  readonly watch: Watch;
  /** Maximum characters of a list. */
  readonly max: number;
}

interface Asked<M, S extends M> {
  readonly found: FoundEndpoint<M, S>;
  readonly input: Input;
  readonly viewer: Viewer;
  readonly watch: Watch;
  readonly max: number;
  /** What the answer that it is a part of has cost so far. Absent: it is one of its own. */
  readonly cost?: Cost;
  /** Read instead of what the host has: the present as a session sees it, or as other reads have seen it. */
  readonly model?: M;
  /** Read instead: an earlier state. */
  readonly past?: M;
  /** For whom embedded records are shown. Absent: for the viewer. */
  readonly embedAs?: Viewer;
}

const EVERYTHING = ['*'];

/** Carries out a read: past, checks, permission, query, embedded records. A promise only from queries that wait for something else. */
export function read<M, S extends M>(
  runtime: Runtime<M, S>,
  asked: Asked<M, S>,
): RequestOutcome | Promise<RequestOutcome> {
  const { host } = runtime;
  const { found, input, viewer, watch, max } = asked;
  const stranger = pastOfStranger(host, asked);
  if (stranger !== null) {
    watch.add(null);
    return refusedOutcome(stranger, viewer);
  }
  const then = asked.past ?? (asked.model === undefined ? modelThen(host, asked) : null);
  // The past does not change, but the position that a time stands for does, and so do permissions.
  if (then !== null) watch.add(EVERYTHING);
  const model = then === null || isRefusal(then) ? (asked.model ?? host.model()) : then;
  const reading = { runtime, viewer, model, isPast: then !== null, watch, max };
  return withCost(asked.cost ?? new Cost(), () => {
    const checked = checkedCall(found, input, { viewer, model });
    const refusal = checked.refusal ?? (isRefusal(then) ? then : null);
    const outcome = query({ ...checked, refusal }, reading);
    const embedding = { ...reading, viewer: asked.embedAs ?? viewer };
    return outcome instanceof Promise
      ? outcome.then((value) => withEmbedded(value, input, embedding))
      : withEmbedded(outcome, input, embedding);
  });
}

/** Resolves links below the route root internally, in context `embed` and with as many items as the collection allows for embedding. */
function follower<M, S extends M>(reading: Reading<M, S>): Follow {
  const { runtime, model } = reading;
  // A past model links to the address that the site had then.
  const base = `${runtime.base(model)}/`;
  return (href) => {
    if (!href.startsWith(base)) return NOTHING;
    const target = href.slice(base.length - 1);
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = parseQuery(mark === -1 ? '' : target.slice(mark + 1));
    if (!query['context']) query['context'] = 'embed';
    const max = runtime.table.find('GET', path, model)?.endpoint.args.byName.get('per_page')?.embedded;
    if (!query['per_page'] && max !== undefined) query['per_page'] = String(max);
    const outcome = readInner(reading, innerInput({ method: 'GET', path, query }));
    return outcome === null ? NOTHING : jsonOf(outcome.shown);
  };
}

/** A read of a record that is embedded in another; null if it waits for something else. */
function readInner<M, S extends M>(reading: Reading<M, S>, input: Input): RequestOutcome | null {
  const { runtime, model, isPast } = reading;
  const found = runtime.table.find('GET', input.path, model);
  if (found === null || !('query' in found.endpoint.endpoint)) return refusedOutcome(NO_ROUTE, reading.viewer);
  const viewer = boundedAt(reading.viewer, found, 'GET');
  if (isRefusal(viewer)) return refusedOutcome(viewer, reading.viewer);
  const checked = checkedCall(found, input, { viewer, model });
  const { past } = found.endpoint.endpoint;
  const refusal = checked.refusal ?? (isPast ? (past?.permission(checked.call) ?? null) : null);
  const outcome = query({ ...checked, refusal }, reading);
  return outcome instanceof Promise ? null : outcome;
}

/** Embeds other records in what is shown, if that is asked for. */
export function withEmbedded<M, S extends M>(
  outcome: RequestOutcome,
  input: Input,
  reading: Reading<M, S>,
): RequestOutcome {
  const asked = input.query['_embed'];
  if (asked === undefined || outcome.refused) return outcome;
  const cost = new Cost(outcome.cost);
  const shown = withCost(cost, () => embedded(outcome.shown, asked, { follow: follower(reading), max: reading.max }));
  return isRefusal(shown)
    ? refusedOutcome(shown, reading.viewer, outcome.allow)
    : { ...outcome, shown, cost: cost.standing };
}

/** Cache versions are taken before the model is read, so that no change in between is missed. */
function query<M, S extends M>(
  checked: CheckedCall<M, S>,
  { watch, max }: Reading<M, S>,
): RequestOutcome | Promise<RequestOutcome> {
  const { call, found } = checked;
  const { endpoint } = found.endpoint;
  if (!('query' in endpoint)) throw new TypeError(`${found.route.route.pattern} has no query`);
  if (checked.refusal !== null) watch.add(null);
  else watch.add(endpoint.depends === undefined ? EVERYTHING : (endpoint.depends?.(call) ?? null));
  const refusal = checked.refusal ?? endpoint.permission(call) ?? pastRefusal(endpoint, call);
  const answer = refusal ?? endpoint.query(call);
  return answer instanceof Promise
    ? answer.then((value) => noted(outcomeOf(checked, value, max), watch))
    : noted(outcomeOf(checked, answer, max), watch);
}

function noted(outcome: RequestOutcome, watch: Watch): RequestOutcome {
  if (outcome.dependsOnMore === 'everything') watch.addAll();
  if (outcome.dependsOnMore === 'time') watch.add(null);
  return outcome;
}

/** The refusal of a request for the past by somebody who may not see it; the past is not read for it. */
function pastOfStranger<M, S extends M>(host: EngineHost<M, S>, { found, viewer, input }: Asked<M, S>): Refusal | null {
  const { endpoint } = found.endpoint;
  const past = pastOf(endpoint);
  if (past === undefined || !('query' in endpoint) || (sentIn(input, parameterOf(past)) ?? null) === null) return null;
  const now = checkedCall(found, input, { viewer, model: host.model() });
  return now.refusal === null ? strangerRefusal(endpoint, now.call) : null;
}

/** The past model that `as_of` names, if the endpoint takes that parameter; null for the present. */
function modelThen<M, S extends M>(host: EngineHost<M, S>, { found, input }: Asked<M, S>): M | Refusal | null {
  const past = pastOf(found.endpoint.endpoint);
  if (past === undefined) return null;
  const name = parameterOf(past);
  const value = sentIn(input, name) ?? null;
  if (value === null || past.byItself?.((other) => sentIn(input, other)) === true) return null;
  if (name === 'as_of' && (sentIn(input, 'by') ?? null) !== null) {
    // It would be answered by another clock than the one that was asked for.
    const message = 'A single post or page takes by=source beside as_of; nothing else takes by.';
    return refuse('rest_invalid_as_of', message);
  }
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
