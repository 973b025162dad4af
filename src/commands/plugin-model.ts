import { areas } from '#catalogue/areas.ts';
import type { PluginReader, PluginSession } from '#plugin/routes.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Session } from './session.ts';

/** What a plugin sees of a model. */
export function pluginReader(model: Model): PluginReader {
  return {
    get position() {
      return model.position;
    },
    site() {
      const { url, configuredUrl, name, description, timezone } = model.site();
      return { url, configuredUrl, name, description, timezone };
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
    documentOf(name, key) {
      const area = areas.find((one) => one.name === name);
      return area && model.plugin(area, key);
    },
  };
}

/** Does work of a plugin in a session. What it stages after it has returned is part of no commit. */
export function inPluginSession<T>(session: Session, work: (session: PluginSession) => T): T {
  const state = { isOver: false };
  try {
    return work(sessionOf(session, state));
  } finally {
    state.isOver = true;
  }
}

function sessionOf(session: Session, state: { readonly isOver: boolean }): PluginSession {
  return {
    ...pluginReader(session),
    get position() {
      return session.reached;
    },
    at: session.at,
    get local() {
      return session.now.local;
    },
    stage(area, events) {
      if (state.isOver) throw new TypeError(`events of ${area.name} are staged after the command has ended`);
      for (const { type, data } of events) {
        const definition = area.events.find((one) => one.type === type);
        if (definition === undefined) throw new TypeError(`the area ${area.name} has no event ${type}`);
        // As a replay will read it.
        definition.schema.parse(JSON.parse(JSON.stringify(data)));
      }
      session.stage(area.stream, events);
    },
  };
}
