import { z } from 'zod';
import { pluginsOf } from '#catalogue/plugins.ts';
import { inPluginSession, pluginReader } from '#commands/plugin-model.ts';
import type { Session } from '#commands/session.ts';
import { extensions } from '#domain/extensions/area.ts';
import { themeOf, themesOf } from '#domain/extensions/catalogue.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { after } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry, canReadEntry, canReadMedia } from '#site/rights.ts';
import type { Plugin } from '../../../plugin/contract.ts';
import { PluginReply } from '../../../plugin/reply.ts';
import type { PluginArg, PluginCall, PluginRoute, PluginSession } from '../../../plugin/routes.ts';
import type { PluginRequest } from '../../../plugin/server.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import type { Answer, Arg, Call, Upload } from '../../engine/types.ts';
import { takeNoFile } from '../../engine/upload.ts';
import { coerce, validate } from '../../engine/validate.ts';
import { viewOf } from '../../pages/plugin-view.ts';
import { mediaFilesOf, metaOf, settingsFor } from './facts.ts';
import { type AddressOfCut, addressOfCut, ImageCuts } from './image-cuts.ts';
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

type Calls = <M>(call: Call<Model>, model: M, args: RouteArgs) => PluginCall<M>;
type RouteArgs = NonNullable<PluginRoute['args']>;

function callsOf(plugin: Plugin, parts: PluginParts): Calls {
  const { settings, deployment, clock, compress, crawlers } = parts;
  const memory = memoryOf(parts);
  const server = { versions: settings.versions, compresses: compress, crawlers };
  return (call, model, args) => {
    const { viewer, model: shown } = call;
    return {
      model,
      user: viewer.id,
      role: viewer.role,
      params: paramsOf(call, args),
      server,
      memory,
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
      view: viewOf(shown, viewer),
      publicView: viewOf(shown, anonymous),
      fields(id) {
        const row = shown.entry(id);
        return row === undefined ? new Map() : metaOf(row);
      },
      mayRead: (id) => mayRead(id, shown, viewer),
      mayEdit(id) {
        const row = shown.entry(id);
        return row !== undefined && canEditEntry(viewer, row);
      },
      mediaFiles: (id) => mediaFilesOf(id, shown),
    };
  };
}

function mayRead(id: number, model: Model, viewer: Viewer): boolean {
  const row = model.entry(id);
  if (row !== undefined) return canReadEntry(viewer, row);
  const media = model.media(id);
  return media !== undefined && canReadMedia(viewer, media, model);
}

/** The engine does not convert parameters whose type the index does not list. */
function paramsOf({ params }: Call<Model>, args: RouteArgs): Call<Model>['params'] {
  const untyped = Object.entries(args).filter(([, arg]) => arg.untyped === true);
  if (untyped.length === 0) return params;
  const read = untyped.map(([name, { schema }]) => {
    const value = params[name] ?? undefined;
    return [name, value === undefined ? undefined : coerce(value, descriptorOf(schema))] as const;
  });
  return { ...params, ...Object.fromEntries(read) };
}

function requestOf({ method, path, query, request }: Call<Model>): PluginRequest {
  const { header, body, peer } = request;
  return { method, path, query, header, body, peer, identity: request };
}

function rowOf(route: PluginRoute, callsOfPlugin: Calls, { uses, uploads }: PluginParts): NamespaceRow {
  const { method, path, summary, args = {}, answers, unkept, types } = route;
  const callOf = <M>(call: Call<Model>, model: M) => callsOfPlugin(call, model, args);
  const given = Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, argOf(name, arg)]));
  const read = (call: Call<Model>) => callOf(call, pluginReader(call.model, uses));
  const { access: permission } = route;
  const access = typeof permission === 'function' ? (call: Call<Model>) => permission(read(call)) : permission;
  const base = {
    method,
    path,
    summary,
    access,
    args: given,
    answers,
    ...(unkept && { unkept }),
    ...(types && { types }),
  };
  const inSession = <T>(call: Call<Session>, work: (call: PluginCall<PluginSession>) => T) =>
    inPluginSession(call.model, (session) => work(callOf(call, session)), uses);
  if ('command' in route) {
    const { command, prepare, asAnonymous } = route;
    const carryOut = (call: Call<Session>, address: AddressOfCut = addressOfCut) =>
      inSession(call, (own) => {
        const images = { address: (id: number, size: Dimensions) => address(id, size, call.model) };
        return resultOf(atOnce(command(own, images), path));
      });
    if (prepare !== undefined) {
      const before = (call: Call<Model>, cuts: ImageCuts) =>
        prepare(read(call), { cut: (id, size) => cuts.cut(id, size, call.model) });
      return { ...base, work: () => prepared(new ImageCuts(uploads.open()), before, carryOut) };
    }
    return { ...base, command: (call) => carryOut(call), ...(asAnonymous && { runsAsAnonymous: true }) };
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

function prepared(
  cuts: ImageCuts,
  before: (call: Call<Model>, cuts: ImageCuts) => Promise<void>,
  carryOut: (call: Call<Session>, address: AddressOfCut) => Result,
): Upload<Model, Session> {
  return {
    take: takeNoFile,
    digest: () => '',
    close: (sure) => cuts.close(sure),
    async prepare(call) {
      await before(call, cuts);
      return null;
    },
    command: (call) => carryOut(call, (id, size, session) => cuts.address(id, size, session)),
  };
}

function argOf(name: string, { check, untyped, ...arg }: PluginArg): Arg<Model> {
  const own = (value: unknown) => {
    const fault = check?.(value) ?? null;
    return fault && { data: null, ...fault };
  };
  if (untyped === undefined) return check === undefined ? arg : { ...arg, check: own };
  const descriptor = descriptorOf(arg.schema);
  return {
    sent: arg.schema,
    ...arg,
    schema: z.unknown(),
    check: (value) => validate(value, descriptor, name) ?? own(coerce(value, descriptor)),
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
  const { type, ...options } = value.options;
  if (type === undefined) return { body: { kind: 'json', value: value.value }, ...options };
  return { body: { kind: 'text', type, text: String(value.value) }, ...options };
}
