import { createHash } from 'node:crypto';
import { areas } from '#catalogue/areas.ts';
import { invalidParam, refuse } from '#domain/kernel/refusal.ts';
import { allowedTypes } from '#domain/media/types.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { activatePlugin, installTheme, switchTheme } from '#domain/plugins/extensions/decide.ts';
import { type AssetEvent, cacheAssets } from '#domain/plugins/page-assets/area.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { plainLine } from '#domain/term/text.ts';
import type { PasswordUses, User } from '#domain/user/state.ts';
import type {
  AssetSlot,
  PageAsset,
  PluginEntry,
  PluginMedia,
  PluginReader,
  PluginSession,
  PluginToken,
  PluginUser,
} from '#plugin/routes.ts';
import type { TaxonomyFilter } from '#projections/kernel/collection-query.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import { assetQueue } from '#projections/plugins/asset-queue.ts';
import type { Model } from '#projections/reading/model.ts';
import { site } from '#projections/site/definition.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { asciiJson } from '#text/json.ts';
import { revokePasswords } from './credentials.ts';
import { keepAnswer, keptAnswer } from './requests.ts';
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
      return {
        ...{ url, configuredUrl, name, description, timezone },
        get isConfigured() {
          return model.dated(site).get() !== null;
        },
      };
    },
    user(id) {
      const user = model.user(id);
      return user && shownUser(user);
    },
    users: () => model.users().map(shownUser),
    entry: (id) => shownEntry(id, model),
    texts(id) {
      const texts = model.texts(id);
      return texts && { content: texts.content, excerpt: texts.excerpt };
    },
    ...listsOf(model),
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

function listsOf(model: Model): Pick<PluginReader, 'published' | 'media' | 'mediaIds' | 'waitingAssets' | 'assets'> {
  return {
    published({ kind, term, limit }) {
      const found = term && model.termBySlug(term.taxonomy as Taxonomy, term.slug);
      if (term !== undefined && found === undefined) return [];
      const terms: readonly TaxonomyFilter[] = found ? [{ by: 'term', mode: 'any', terms: [found.id] }] : [];
      const query = { ...newest, kind, statuses: [{ status: 'publish' }], taxonomies: terms, limit };
      return model
        .present()
        .find(query)
        .ids.flatMap((id) => shownEntry(id, model) ?? []);
    },
    media({ type, limit }) {
      const formats = allowedTypes.filter((one) => one.startsWith(type));
      const query = { ...newest, kind: mediaKind, statuses: [{ status: mediaStatus }], limit };
      const { ids } = model.present().find({ ...query, taxonomies: [{ by: 'format', formats }] });
      return ids.flatMap((id) => shownMedia(id, model) ?? []);
    },
    mediaIds(types) {
      const query = { kind: mediaKind, statuses: [{ status: mediaStatus }], orderBy: 'id', order: 'asc' } as const;
      const all = { ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER };
      return model.present().find({ ...all, taxonomies: [{ by: 'format', formats: types }] }).ids;
    },
    waitingAssets: (kind) =>
      model
        .present()
        .of(assetQueue)
        .of(kind)
        .map((slot) => ({ ...slot, kind })),
    assets: (entry) => model.plugin(cacheAssets, String(entry)),
  };
}

const newest = { orderBy: 'date', order: 'desc', offset: 0 } as const;

function shownUser({ id, slug, displayName, registered }: UserRow): PluginUser {
  return { id, slug, displayName, registered };
}

function shownEntry(id: number, model: Model): PluginEntry | undefined {
  const entry = model.entry(id);
  if (entry === undefined) return undefined;
  const { kind, status, slug, title, author, password } = entry;
  return { id, kind, status, slug, title, author, isProtected: password !== '' };
}

function shownMedia(id: number, model: Model): PluginMedia | undefined {
  const item = model.media(id);
  return item && { id, type: item.type, slug: item.slug, title: item.title, author: item.author };
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
  const stageExtension = (events: ReturnType<typeof switchTheme>) => session.stage(extensions.stream, events);
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
    get hasStaged() {
      return session.hasStaged;
    },
    isKept: (key) => keptAnswer(session, key) !== null,
    keep(key, answer) {
      const type = 'application/json; charset=UTF-8';
      keepAnswer(session, key, { request: key, status: 200, headers: {}, type, body: asciiJson(answer) });
    },
    storeAsset: (slot, asset) => session.stage(cacheAssets.stream, [assetEvent(slot, asset)]),
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
    activatePlugin: (slug) => stageExtension(activatePlugin(session.plugin(extensions), slug)),
    installTheme: (theme) => stageExtension(installTheme(session.plugin(extensions), theme)),
    switchTheme: (slug) => stageExtension(switchTheme(session.plugin(extensions), slug)),
  };
}

function assetEvent({ entry, kind, variant }: AssetSlot, asset: PageAsset | null): AssetEvent {
  const slot = { entry, kind, variant };
  if (asset === null) return { type: 'PageAssetCleared', data: slot };
  const data = typeof asset.data === 'string' ? asset.data : [...asset.data];
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  return { type: 'PageAssetStored', data: { ...slot, url: asset.url, hash, data } };
}
