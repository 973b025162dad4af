import { pluginsOf } from '#catalogue/plugins.ts';
import { inPluginSession, pluginReader } from '#commands/plugin-model.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { themeOf, themesOf } from '#domain/plugins/extensions/catalogue.ts';
import { after } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/items.ts';
import { plainTitle, publicItem } from '#site/items/item.ts';
import { plain } from '#site/rendering/posts.ts';
import type { Plugin } from '../../../plugin/contract.ts';
import { PluginReply } from '../../../plugin/reply.ts';
import type { PluginArg, PluginCall, PluginRoute, PluginSession } from '../../../plugin/routes.ts';
import type { PluginRequest } from '../../../plugin/server.ts';
import type { Answer, Arg, Call } from '../../engine/types.ts';
import { mediaFilesOf, settingsFor } from './facts.ts';
import { fresh } from './kit/envelopes.ts';
import type { Namespace, PluginParts } from './kit/namespace.ts';
import { mayCall, type NamespaceRow, type Result, tableOf } from './kit/table.ts';

/** Converts the namespaces of a plugin to some of the server. The plugin can access only what its interface offers. */
export function namespacesOf(plugin: Plugin): readonly Namespace[] {
  return plugin.namespaces.map(({ name, routes }) => {
    const table = (parts: PluginParts, isMeant: (route: PluginRoute) => boolean) =>
      tableOf(
        name,
        routes.filter(isMeant).map((route) => rowOf(route, callsOf(plugin, parts), parts)),
      );
    return {
      name,
      routes: (parts) => table(parts, ({ unlisted }) => unlisted === undefined),
      additions: (parts) => table(parts, ({ unlisted }) => unlisted === true),
    };
  });
}

export class PluginTooSlow extends Error {
  override readonly name = 'PluginTooSlow';
}

/** Milliseconds within which a query of a package has to answer. */
const patience = 30_000;

/** What plugins remember, by server. */
const memories = new WeakMap<PluginParts, Map<unknown, unknown>>();

function memoryOf(parts: PluginParts): <T>(create: () => T) => T {
  const all = memories.get(parts) ?? new Map<unknown, unknown>();
  memories.set(parts, all);
  return <T>(create: () => T) => {
    if (!all.has(create)) all.set(create, create());
    return all.get(create) as T;
  };
}

type Calls = <M>(call: Call<Model>, model: M) => PluginCall<M>;

function callsOf(plugin: Plugin, parts: PluginParts): Calls {
  const { settings, deployment, clock, compress, crawlers } = parts;
  const memory = memoryOf(parts);
  const server = { versions: settings.versions, compresses: compress, crawlers };
  return (call, model) => {
    const { viewer, params, model: shown } = call;
    return {
      ...{ model, user: viewer.id, role: viewer.role, params, server, memory },
      get now() {
        return clock();
      },
      get request() {
        return requestOf(call);
      },
      may: (access) => mayCall(viewer, access),
      settings: settingsFor(plugin, settings),
      secret: (one) => settings.secrets[one] ?? null,
      plugins: () => pluginsOf(deployment, shown.plugin(extensions)),
      themes: () => themesOf(settings.themes, shown.plugin(extensions)),
      theme: () => themeOf(settings.themes, shown.plugin(extensions)),
      address(id) {
        const row = shown.entry(id);
        return row && permalink(row, shown);
      },
      mediaFiles: (id) => mediaFilesOf(id, shown),
      plainText(id) {
        const item = shown.entry(id) && publicItem(id, shown);
        return item && { title: plainTitle(item), content: plain(item.content()) };
      },
    };
  };
}

function requestOf({ method, path, query, request }: Call<Model>): PluginRequest {
  const { header, body, peer } = request;
  return { method, path, query, header, body, peer, identity: request };
}

function rowOf(route: PluginRoute, callOf: Calls, { uses }: PluginParts): NamespaceRow {
  const { method, path, summary, args = {}, answers, unkept } = route;
  const given = Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, argOf(arg)]));
  const read = (call: Call<Model>) => callOf(call, pluginReader(call.model, uses));
  const { access: permission } = route;
  const access = typeof permission === 'function' ? (call: Call<Model>) => permission(read(call)) : permission;
  const base = { method, path, summary, access, args: given, answers, ...(unkept && { unkept }) };
  const inSession = <T>(call: Call<Session>, work: (call: PluginCall<PluginSession>) => T) =>
    inPluginSession(call.model, (session) => work(callOf(call, session)), uses);
  if ('command' in route) {
    const { command, asAnonymous } = route;
    const carryOut = (call: Call<Session>) => inSession(call, (own) => resultOf(atOnce(command(own), path)));
    return { ...base, command: carryOut, ...(asAnonymous && { runsAsAnonymous: true }) };
  }
  const { query } = route;
  if (!('due' in route)) return { ...base, query: (call) => inTime(query(read(call)), path) };
  const { due, begin } = route;
  return {
    ...base,
    due: (_, call) => due(read(call)),
    begin: (_, call) => inSession(call, begin),
    show: (_, call) => answerOf(atOnce(query(read(call)), path)),
  };
}

function argOf({ check, ...arg }: PluginArg): Arg<Model> {
  if (check === undefined) return arg;
  return {
    ...arg,
    check: (value) => {
      const fault = check(value);
      return fault && { data: null, ...fault };
    },
  };
}

function inTime(answer: unknown, path: string): Result | Promise<Result> {
  if (!(answer instanceof Promise)) return resultOf(answer);
  const { promise, reject } = Promise.withResolvers<never>();
  const fault = new PluginTooSlow(`the query of ${path} did not answer within ${patience / 1000} s`);
  const stop = after(patience, () => reject(fault), reject);
  return Promise.race([answer, promise]).then(resultOf).finally(stop);
}

function atOnce(answer: unknown, path: string): unknown {
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => undefined);
  throw new TypeError(`the command of ${path} returned a promise: a command must not be async; nothing was stored`);
}

function resultOf(value: unknown): Result {
  return isRefusal(value) ? value : answerOf(value);
}

function answerOf(value: unknown): Answer {
  if (!(value instanceof PluginReply)) return fresh(value);
  return { body: { kind: 'json', value: value.value }, ...value.options };
}
