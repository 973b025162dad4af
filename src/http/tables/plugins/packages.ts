import { inPluginSession, pluginReader } from '#commands/plugin-model.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { after } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Plugin } from '../../../plugin/contract.ts';
import { PluginReply } from '../../../plugin/reply.ts';
import type { PluginArg, PluginCall, PluginRoute } from '../../../plugin/routes.ts';
import type { Answer, Arg, Call } from '../../engine/types.ts';
import { fresh } from './kit/envelopes.ts';
import type { Namespace, PluginParts } from './kit/namespace.ts';
import { type NamespaceRow, type Result, tableOf } from './kit/table.ts';

/** Converts the namespaces of a plugin to some of the server. The plugin can access only what its interface offers. */
export function namespacesOf(plugin: Plugin, of: Pick<Namespace, 'deployments'> = {}): readonly Namespace[] {
  return plugin.namespaces.map(({ name, routes }) => ({
    ...{ ...of, name },
    routes: (parts) =>
      tableOf(
        name,
        routes.map((route) => rowOf(route, callsOf(plugin, parts, of))),
      ),
  }));
}

export class PluginTooSlow extends Error {
  override readonly name = 'PluginTooSlow';
}

/** Milliseconds within which a query of a package has to answer. */
const patience = 30_000;

type Calls = <M>(call: Pick<Call<Model>, 'viewer' | 'params'>, model: M) => PluginCall<M>;

function callsOf({ name }: Plugin, { settings }: PluginParts, { deployments }: Pick<Namespace, 'deployments'>): Calls {
  const all = settings as unknown as Readonly<Record<string, unknown>>;
  const own = deployments === undefined ? all[name] : all;
  return ({ viewer, params }, model) => ({
    ...{ model, user: viewer.id, role: viewer.role, params },
    settings: <S>() => own as S,
  });
}

function rowOf(route: PluginRoute, callOf: Calls): NamespaceRow {
  const { method, path, summary, access, args = {}, answers } = route;
  const given = Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, argOf(arg)]));
  const base = { method, path, summary, access, args: given, answers };
  const read = (call: Call<Model>) => callOf(call, pluginReader(call.model));
  if ('command' in route) {
    const { command } = route;
    return {
      ...base,
      command: (call) =>
        inPluginSession(call.model, (session) => resultOf(atOnce(command(callOf(call, session)), path))),
    };
  }
  const { query } = route;
  if (!('due' in route)) return { ...base, query: (call) => inTime(query(read(call)), path) };
  const { due, begin } = route;
  return {
    ...base,
    due: (_, call) => due(read(call)),
    begin: (_, call) => inPluginSession(call.model, (session) => begin(callOf(call, session))),
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
