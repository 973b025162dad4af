import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { after } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import type { PluginNamespace } from '../../../plugin/contract.ts';
import type { PluginCall, PluginReader, PluginRoute, PluginSession } from '../../../plugin/routes.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { fresh } from './kit/envelopes.ts';
import type { Namespace } from './kit/namespace.ts';
import { type NamespaceRow, tableOf } from './kit/table.ts';

/** Converts a package's namespace to one of the server. The package can access only what its interface offers. */
export function packageNamespace({ name, routes }: PluginNamespace): Namespace {
  return { name, routes: () => tableOf(name, routes.map(rowOf)) };
}

export class PluginTooSlow extends Error {
  override readonly name = 'PluginTooSlow';
}

/** Milliseconds within which a query of a package has to answer. */
const patience = 30_000;

function rowOf(route: PluginRoute): NamespaceRow {
  const { method, path, summary, access, args = {}, answers } = route;
  const base = { method, path, summary, access, args, answers };
  if ('query' in route) {
    const { query } = route;
    return { ...base, query: async (call) => answered(await inTime(query(callOf(call, readerOf(call.model))), path)) };
  }
  const { command } = route;
  return {
    ...base,
    command: (call) => inSession(call.model, (session) => answered(atOnce(command(callOf(call, session)), path))),
  };
}

async function inTime(answer: unknown, path: string): Promise<unknown> {
  if (!(answer instanceof Promise)) return answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const fault = new PluginTooSlow(`the query of ${path} did not answer within ${patience / 1000} s`);
  const stop = after(patience, () => reject(fault), reject);
  return Promise.race([answer, promise]).finally(stop);
}

function atOnce(answer: unknown, path: string): unknown {
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => undefined);
  throw new TypeError(`the command of ${path} returned a promise: a command must not be async; nothing was stored`);
}

function answered(
  value: unknown,
): Answer | Extract<ReturnType<Extract<NamespaceRow, { command: unknown }>['command']>, { refused: true }> {
  return isRefusal(value) ? value : fresh(value);
}

function callOf<M>({ viewer, params }: Call<Model>, model: M): PluginCall<M> {
  return { model, user: viewer.id, role: viewer.role, params };
}

function readerOf(model: Model): PluginReader {
  return {
    get position() {
      return model.position;
    },
    site() {
      const { url, name, description, timezone } = model.site();
      return { url, name, description, timezone };
    },
    user(id) {
      const user = model.user(id);
      return user && { id, slug: user.slug, displayName: user.displayName };
    },
    entry(id) {
      const entry = model.entry(id);
      if (entry === undefined) return undefined;
      const { kind, status, slug, title, author, password } = entry;
      return { id, kind, status, slug, title, author, isProtected: password !== '' };
    },
    document: (area, key) => model.plugin(area, key),
    documents: (area) => model.plugins(area),
  };
}

/** What a command stages after it has returned is part of no commit. */
function inSession<T>(session: Session, work: (session: PluginSession) => T): T {
  const state = { isOver: false };
  try {
    return work(sessionOf(session, state));
  } finally {
    state.isOver = true;
  }
}

function sessionOf(session: Session, state: { readonly isOver: boolean }): PluginSession {
  return {
    ...readerOf(session),
    get position() {
      return session.reached;
    },
    at: session.at,
    stage(area, events) {
      if (state.isOver) throw new TypeError(`events of ${area.name} are staged after the command has ended`);
      for (const { type, data } of events) {
        const definition = area.events.find((one) => one.type === type);
        if (definition === undefined) throw new TypeError(`the area ${area.name} has no event ${type}`);
        definition.schema.parse(data);
      }
      session.stage(area.stream, events);
    },
  };
}
