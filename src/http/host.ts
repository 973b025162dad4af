import { accountSalt, authenticate, authenticatePerson } from '#commands/credentials.ts';
import { keepAnswer, keptAnswer } from '#commands/requests.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import type { Written } from '#commands/writer.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { mayFetchFiles } from '#domain/media/rights.ts';
import { tools } from '#domain/plugins/tools/area.ts';
import type { MediaFiles } from '#media/files.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import { textWorkers } from '#process/text-workers.ts';
import type { CacheVersions } from '#projections/cache-versions.ts';
import { media } from '#projections/media/definition.ts';
import type { Model, PresentModel } from '#projections/model.ts';
import type { TextWork } from '#text/elsewhere.ts';
import type { Host } from './engine/types.ts';
import type { StoredFile } from './files.ts';
import type { Recency } from './recency.ts';
import { createFeeds } from './rendering/feeds.ts';

/** What the HTTP layer reads from and writes to. */
export interface Store {
  readonly reader: Model;
  readonly cacheVersions: CacheVersions;
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** The reader shows all that a session would see. */
  isCurrent(): boolean;
  /** The site as it stood at a position or time. */
  at(asOf: string): Model | Refusal;
}

/** Finds uploaded files by their path below that of the uploads. */
export function filesOf(store: {
  readonly reader: Pick<PresentModel, 'of'>;
  readonly files: Pick<MediaFiles, 'path' | 'check'>;
}): (path: string) => StoredFile | null {
  return (path) => {
    const found = store.reader.of(media).served(path);
    if (found === undefined) return null;
    const { files } = store;
    const { hash, type, item } = found;
    return {
      ...{ hash, type, location: files.path(hash), isIntact: () => files.check.isIntact(hash) },
      ...(item.status === undefined ? {} : { isFor: (viewer) => mayFetchFiles(viewer, item) }),
    };
  };
}

/** Milliseconds of age that are not reported while the log answers: it is asked twice in that time. */
const moments = 1000;

/** How new a node's read model is. `wait`: milliseconds that a request waits for the position that it names. */
export function recencyOf(
  node: {
    readonly store: { readonly reader: Model; readonly owed: number; changed(listener: () => void): () => void };
    readonly replica?: { readonly connected: boolean; readonly ageMs: number };
  },
  wait: number,
): Recency {
  const { store, replica } = node;
  return {
    position: () => store.reader.position,
    owed: () => store.owed,
    changed: (listener) => store.changed(listener),
    ageMs: () => (replica === undefined || (replica.connected && replica.ageMs < moments) ? 0 : replica.ageMs),
    wait,
  };
}

/** How other sites are asked. */
interface Others {
  readonly outgoing: Outgoing;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The store as the engine knows it. Without `others` no feeds of other sites are shown. */
export function hostOf(store: Store, others?: Others): Host<Model, Session> {
  const feeds = others === undefined ? {} : { feed: createFeeds(others.outgoing, textWorkers, others.clock) };
  return {
    model: () => store.reader,
    modelAt: (asOf) => store.at(asOf),
    submit: (context, work) => store.submit(context, work),
    elsewhere: Object.assign((work: TextWork) => textWorkers(work), feeds),
    isCurrent: () => store.isCurrent(),
    attempt: (session, work) => session.attempt(work),
    keptAnswer,
    keepAnswer,
    cacheVersion: (key) => store.cacheVersions.of(key),
    authenticate: (login, password) => authenticate(store.reader, login, password),
    authenticatePerson: async (login, password) => {
      const texts = [password, accountSalt(store.reader, login)];
      const digest = await textWorkers({ job: 'secretDigest', texts });
      return authenticatePerson(store.reader, { login, password, digest });
    },
    takesPasswords: () => !store.reader.plugin(tools).switches.disable_authentication_password,
    usersKey: 'credentials',
    siteUrl: (model = store.reader) => model.site().url,
  };
}
