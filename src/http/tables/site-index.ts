import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { wrongType } from '../engine/faults.ts';
import { describeRoute } from '../engine/options.ts';
import { isPresent } from '../engine/table.ts';
import type { Answer, Args, Call, Rec, Route } from '../engine/types.ts';

export interface IndexOptions<M> {
  readonly namespaces: readonly string[];
  /** Fields of the site index. `namespaces`, `authentication`, `routes` and `_links` are added unless given. */
  readonly site: (model: M) => Readonly<Record<string, unknown>>;
  /** The current address of the route root without trailing slash. */
  readonly base: (model: M) => string;
  /** Cache keys of the site's fields; absent: the index is not cached (one field is the current offset of the time zone). */
  readonly depends?: readonly string[];
}

/**
 * The routes that describe the others: the site index `/` and one index per namespace (interface behaviour, section 24). They
 * include themselves.
 */
export function indexRoutes<M, S extends M>(
  routes: readonly Route<M, S>[],
  options: IndexOptions<M>,
): readonly Route<M, S>[] {
  const groups = new Map<string, Route<M, S>[]>(['', ...options.namespaces].map((name) => [name, []]));
  for (const route of routes) groups.get(route.namespace)?.push(route);
  const listing = listings(groups);
  const root = rootRoute<M, S>(options, listing);
  groups.get('')?.unshift(root);
  const indexes = options.namespaces.map((namespace) => {
    const route = namespaceRoute<M, S>(namespace, options, listing);
    groups.get(namespace)?.unshift(route);
    return route;
  });
  return [root, ...indexes];
}

function listings<M, S extends M>(groups: ReadonlyMap<string, readonly Route<M, S>[]>): Listing<M> {
  const texts = new Map<string, JsonText>();
  return (base, group, model) => {
    const all = group === null ? [...groups.values()].flat() : (groups.get(group) ?? []);
    const absent = all.filter((route) => !isPresent(route, model));
    const key = `${group ?? '*'} ${base} ${absent.map(({ pattern }) => pattern).join(' ')}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const routes = all.filter((route) => !absent.includes(route));
    const text = asciiJson(Object.fromEntries(routes.map((route) => [route.pattern, describeRoute(route, base)])));
    // Bounds the memory: only the most recent addresses are requested again.
    if (texts.size > 100) texts.clear();
    texts.set(key, text);
    return text;
  };
}

type Listing<M> = (base: string, group: string | null, model: M) => JsonText;

const context = { schema: z.unknown().default('view'), unchecked: true } as const;

function rootRoute<M, S extends M>(options: IndexOptions<M>, listing: Listing<M>): Route<M, S> {
  const query = ({ model }: Call<M>): Answer => {
    const base = options.base(model);
    const { authentication = [], _links, ...site } = options.site(model);
    const names = Object.keys(site);
    const rank = names.findIndex((name) => name.startsWith('site_'));
    const own = rank === -1 ? names.length : rank;
    return answerOf({
      names: [...names.slice(0, own), 'namespaces', 'authentication', 'routes', ...names.slice(own), '_links'],
      json: (name) => {
        if (name === 'routes') return listing(base, null, model);
        if (name === 'namespaces') return asciiJson(options.namespaces);
        if (name === 'authentication') return asciiJson(authentication);
        return asciiJson(name === '_links' ? (_links ?? { help: [{ href: `${base}/` }] }) : site[name]);
      },
    });
  };
  const summary = 'Show the site and all its routes';
  return readRoute({ namespace: '', pattern: '/', summary, args: { context }, query, depends: options.depends });
}

function namespaceRoute<M, S extends M>(namespace: string, options: IndexOptions<M>, listing: Listing<M>): Route<M, S> {
  const query = ({ model, params }: Call<M>): Answer | Refusal => {
    const base = options.base(model);
    const asked = String(params['namespace']);
    if (!options.namespaces.includes(asked)) {
      return refuse('rest_invalid_namespace', 'The specified namespace could not be found.');
    }
    return answerOf({
      names: ['namespace', 'routes', '_links'],
      json: (name) => {
        if (name === 'routes') return listing(base, asked, model);
        return asciiJson(name === 'namespace' ? asked : { up: [{ href: `${base}/` }] });
      },
    });
  };
  const check = (value: unknown) => (typeof value === 'object' ? wrongType('namespace', 'string') : null);
  const args: Args<M> = { namespace: { schema: z.unknown().default(namespace), check }, context };
  const summary = `Show the routes of ${namespace}`;
  return readRoute({ namespace, pattern: `/${namespace}`, summary, args, query, depends: options.depends });
}

function readRoute<M, S extends M>(route: {
  readonly namespace: string;
  readonly pattern: string;
  readonly summary: string;
  readonly args: Args<M>;
  readonly query: (call: Call<M>) => Answer | Refusal;
  readonly depends: readonly string[] | undefined;
}): Route<M, S> {
  const { namespace, pattern, summary, args, query, depends } = route;
  // Without keys it shows the time: nobody may keep it.
  const timed = (call: Call<M>): Answer | Refusal => {
    const answer = query(call);
    return isRefusal(answer) || depends !== undefined ? answer : { ...answer, dependsOnMore: () => 'time' };
  };
  return {
    namespace,
    pattern,
    endpoints: [
      { methods: ['GET'], summary, args, permission: () => null, query: timed, depends: () => depends ?? [] },
    ],
  };
}

function answerOf(record: Rec): Answer {
  return { body: { kind: 'record', record } };
}
