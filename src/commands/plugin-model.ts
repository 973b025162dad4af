import { areas } from '#catalogue/areas.ts';
import { invalidParam, refuse } from '#domain/kernel/refusal.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import { plainLine } from '#domain/term/text.ts';
import type { User } from '#domain/user/state.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { PluginReader, PluginSession, PluginToken } from '#plugin/routes.ts';
import type { Model } from '#projections/reading/model.ts';
import { revokePasswords } from './passwords.ts';
import type { Session } from './session.ts';
import { isSame, makeToken } from './tokens.ts';

type Uses = Pick<PasswordUses, 'of'>;

const unknown: Uses = { of: () => null };

/** What a plugin sees of a model. */
export function pluginReader(model: Model, uses: Uses = unknown): PluginReader {
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
    interfaceUrl(namespace) {
      const { url, names } = model.site();
      return `${url}/${names.root}${namespace === undefined ? '' : `/${namespaceName(names, namespace)}`}`;
    },
    tokens(id) {
      const users = id === undefined ? model.users() : [model.user(id)];
      return users.flatMap((user) => (user === undefined ? [] : tokensOf(user, uses)));
    },
    documentOf(name, key) {
      const area = areas.find((one) => one.name === name);
      return area && model.plugin(area, key);
    },
  };
}

/** Does work of a plugin in a session. What it stages after it has returned is part of no commit. */
export function inPluginSession<T>(session: Session, work: (session: PluginSession) => T, uses = unknown): T {
  const state = { isOver: false };
  try {
    return work(sessionOf(session, state, uses));
  } finally {
    state.isOver = true;
  }
}

function tokensOf({ id: user, passwords }: User, uses: Uses): readonly PluginToken[] {
  return passwords.flatMap((password): readonly PluginToken[] => {
    const { id, name, created, token } = password;
    if (token === undefined) return [];
    const use = uses.of(id);
    return [
      {
        ...{ id, user, name, created, until: token.until, publishes: token.publishes },
        lastUsed: use === null ? null : new Date(use.at).toISOString(),
        is: (text) => isSame(password, text),
      },
    ];
  });
}

function sessionOf(session: Session, state: { readonly isOver: boolean }, uses: Uses): PluginSession {
  return {
    ...pluginReader(session, uses),
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
    issueToken(id, { signature, ...wanted }) {
      const user = session.user(id);
      if (user === undefined) return refuse('rest_user_invalid_id', 'Invalid user ID.');
      const name = plainLine(wanted.name);
      if (name === '') return invalidParam('name', 'name has to say what the token is for.');
      return makeToken(session, user, { ...wanted, name }, signature);
    },
    withdrawToken(id, token) {
      const user = session.user(id);
      if (user !== undefined) revokePasswords(session, user, token);
    },
  };
}
