import { createHash } from 'node:crypto';
import { areas } from '#catalogue/areas.ts';
import { extensions } from '#domain/extensions/area.ts';
import { activatePlugin, installTheme, switchTheme } from '#domain/extensions/decide.ts';
import { invalidParam, isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { type AssetEvent, cacheAssets } from '#domain/page-assets/area.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import { plainLine } from '#domain/term/text.ts';
import type { PasswordUses, User } from '#domain/user/state.ts';
import type { AssetSlot, PageAsset, PluginReader, PluginToken } from '#plugin/reader.ts';
import type { PluginSession } from '#plugin/routes.ts';
import type { Model } from '#projections/reading/model.ts';
import { site } from '#projections/site/definition.ts';
import { asciiJson } from '#text/json.ts';
import { revokePasswords } from './credentials.ts';
import { entryForPlugin, listsOf, termsOf, userForPlugin } from './plugin-rows.ts';
import { releaseIn } from './releases.ts';
import { keepAnswer, keptAnswer } from './requests.ts';
import { makeSecret } from './secret.ts';
import type { Session } from './session.ts';
import { isSame, makeToken } from './tokens.ts';

type Uses = Pick<PasswordUses, 'of'>;

const unknown: Uses = { of: () => null };

/** Each write asks for the one of its session. */
const readers = new WeakMap<Model, PluginReader>();

/** What a plugin sees of a model. */
export function pluginReader(model: Model, uses: Uses = unknown): PluginReader {
  if (uses !== unknown) return readerOf(model, uses);
  const made = readers.get(model) ?? readerOf(model, uses);
  readers.set(model, made);
  return made;
}

function readerOf(model: Model, uses: Uses): PluginReader {
  return {
    get position() {
      return model.position;
    },
    site() {
      const { storeUrl: url, configuredUrl, name, description, timezone } = model.site();
      return {
        url,
        configuredUrl,
        name,
        description,
        timezone,
        get isConfigured() {
          return model.dated(site).get() !== undefined;
        },
      };
    },
    setting: (name) => Object.entries(model.site()).find(([key]) => key === name)?.[1],
    user(id) {
      const user = model.user(id);
      return user && userForPlugin(user);
    },
    users: () => model.users().map(userForPlugin),
    entry: (id) => entryForPlugin(id, model),
    texts(id) {
      const texts = model.texts(id);
      return texts && { content: texts.content, excerpt: texts.excerpt };
    },
    ...termsOf(model),
    ...listsOf(model),
    document: (area, key) => model.plugin(area, key),
    documents: (area) => model.plugins(area),
    interfaceUrl(namespace) {
      const { storeUrl, names } = model.site();
      return `${storeUrl}/${names.root}${namespace === undefined ? '' : `/${namespaceName(names, namespace)}`}`;
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
        id,
        user,
        name,
        created,
        until: token.until,
        publishes: token.publishes,
        release: token.release ?? null,
        lastUsed: use === null ? null : new Date(use.at).toISOString(),
        is: (text) => isSame(password, text),
      },
    ];
  });
}

function sessionOf(session: Session, state: { readonly isOver: boolean }, uses: Uses): PluginSession {
  const stageExtension = (events: ReturnType<typeof switchTheme>) => session.stage(extensions.stream, events);
  const own: Omit<PluginSession, Exclude<keyof PluginReader, 'position'>> = {
    get position() {
      return session.reached;
    },
    at: session.at,
    get local() {
      return session.now.local;
    },
    stage(area, events) {
      if (state.isOver) throw new TypeError(`events of ${area.name} are staged after the command has ended`);
      for (const { type } of events) {
        if (!area.events.some((one) => one.type === type)) {
          throw new TypeError(`the area ${area.name} has no event ${type}`);
        }
      }
      session.stage(area.stream, events);
    },
    get hasStaged() {
      return session.stagedCount > 0;
    },
    isKept: (key) => keptAnswer(session, key) !== null,
    keep(key, answer) {
      const type = 'application/json; charset=UTF-8';
      keepAnswer(session, key, { request: key, status: 200, headers: {}, type, body: asciiJson(answer) });
    },
    newSecret: makeSecret,
    storeAsset: (slot, asset) => session.stage(cacheAssets.stream, [assetEvent(slot, asset)]),
    issueToken(id, { signature, ...wanted }) {
      const user = session.user(id);
      if (user === undefined) return refuse('rest_user_invalid_id', 'Invalid user ID.');
      const release = wanted.release === undefined ? null : releaseIn(session, wanted.release);
      if (release !== null && isRefusal(release)) return release;
      const name = plainLine(wanted.name);
      if (name === '') return invalidParam('name', 'name has to say what the token is for.');
      return makeToken(session, user, { ...wanted, name }, signature);
    },
    withdrawToken(id, token) {
      const user = session.user(id);
      if (user !== undefined) revokePasswords(session, user, token);
    },
    activatePlugin: (slug) => stageExtension(activatePlugin(session.plugin(extensions), slug)),
    installTheme: (theme) => stageExtension(installTheme(session.plugin(extensions), theme)),
    switchTheme: (slug) => stageExtension(switchTheme(session.plugin(extensions), slug)),
  };
  // Most writes of entries need one: to copy all members of the reader takes six times as long.
  return Object.setPrototypeOf(own, pluginReader(session, uses)) as PluginSession;
}

function assetEvent({ entry, kind, variant }: AssetSlot, asset: PageAsset | null): AssetEvent {
  const slot = { entry, kind, variant };
  if (asset === null) return { type: 'PageAssetCleared', data: slot };
  const data = typeof asset.data === 'string' ? asset.data : [...asset.data];
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  return { type: 'PageAssetStored', data: { ...slot, url: asset.url, hash, data } };
}
