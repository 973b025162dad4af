import { formsOf } from '#catalogue/plugins.ts';
import { accountSalt, authenticate, authenticatePerson } from '#commands/credentials.ts';
import { isSignedImage } from '#commands/image-addresses.ts';
import { keepAnswer, keptAnswer } from '#commands/requests.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import { authenticateToken } from '#commands/token-viewer.ts';
import type { Written } from '#commands/writer.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { mayFetchFiles } from '#domain/media/rights.ts';
import { viewFault, viewIn, viewQuery } from '#domain/media/view.ts';
import { tools } from '#domain/tools/area.ts';
import { isDecoded } from '#media/decoder.ts';
import type { MediaFiles } from '#media/files.ts';
import type { FileCheck } from '#media/intact.ts';
import type { ImageViews, NoView, ViewedImage } from '#media/views.ts';
import { media } from '#projections/media/definition.ts';
import type { Past } from '#projections/past/past.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import type { Model, PresentModel } from '#projections/reading/model.ts';
import { secretDigestLater } from '#text/secret.ts';
import type { EngineHost } from '../engine/host.ts';
import type { DeliveredFile, StoredForm } from '../server/files.ts';
import type { Recency } from '../server/recency.ts';
import { previewsOn } from '../tables/previews/previewing.ts';
import { holding } from '../tables/releases/holding.ts';
import { renderAgain } from '../tables/rendering.ts';

export interface HostStore {
  readonly reader: Model;
  readonly cacheVersions: CacheVersions;
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** True if the reader shows everything that a session would see. */
  isCurrent(): boolean;
  readonly past: Pick<Past, 'at' | 'asOf' | 'isLongAgo'>;
}

/** Images by address: what makes them, and the lengths in which everybody may ask for them. */
interface ViewMaking {
  readonly views: Pick<ImageViews, 'find'>;
  readonly lengths: readonly number[];
}

/** `making`: null: images are there as they are stored. */
export function filesOf(
  store: {
    readonly reader: Pick<PresentModel, 'of' | 'plugin'>;
    readonly files: Pick<MediaFiles, 'read'> & { readonly check: Pick<FileCheck, 'bytesOf'> };
  },
  making: ViewMaking | null = null,
): (path: string) => DeliveredFile | null {
  return (path) => {
    const found = store.reader.of(media).served(path);
    if (found === undefined) return null;
    const { files } = store;
    const { hash, type, item } = found;
    const at = (kept: string, of: string): StoredForm => ({
      hash: kept,
      type: of,
      bytes: () => files.check.bytesOf(kept),
      read: (part) => files.read(kept, part),
    });
    const { reader } = store;
    const all = formsOf({ document: (area, key) => reader.plugin(area, key) }, item.id);
    const made = all.filter(({ of }) => of === hash);
    const forms = made.sort((a, b) => a.bytes - b.bytes).map((form) => at(form.hash, form.type));
    return {
      ...at(hash, type),
      ...(forms.length === 0 ? {} : { forms }),
      ...(making === null || !isDecoded(type) ? {} : { view: viewsOf({ path, hash, type }, reader, making) }),
      ...(item.status === undefined ? {} : { isFor: (viewer) => mayFetchFiles(viewer, item) }),
    };
  };
}

const VIEW_FAULTS: Readonly<Record<NoView, Refusal>> = {
  unreadable: refuse('rest_unknown_image_file_type', 'This image is damaged or of an unknown kind.'),
  pixels: refuse('rest_unknown_image_file_type', 'The image has more pixels than this site takes.'),
  crowded: refuse('rest_too_many_images', 'Too many images are waiting to be made. Please try again later.'),
};

function viewsOf(
  { path, ...image }: ViewedImage & { readonly path: string },
  reader: Pick<PresentModel, 'of'>,
  { views, lengths }: ViewMaking,
): NonNullable<DeliveredFile['view']> {
  return (query) => {
    const view = viewIn(query);
    if (view === null) return null;
    const signature = query.get('s');
    if (isRefusal(view)) return async () => view;
    const isSigned = signature !== null && isSignedImage(reader, `${path}?${viewQuery(view)}`, signature);
    const refusal = isSigned ? null : viewFault(view, lengths);
    if (refusal !== null) return async () => refusal;
    return async () => {
      const made = await views.find(image, view);
      return typeof made === 'string' ? VIEW_FAULTS[made] : { ...made, bytes: async () => made.bytes };
    };
  };
}

/** Ages below this many milliseconds are not reported while the shared log responds: it is asked twice in that time. */
const moments = 1000;

/** How current a node's read model is. `wait`: milliseconds that a request waits for the position it names. */
export function recencyOf(
  node: {
    readonly store: {
      readonly reader: Model;
      readonly acknowledged: number;
      asked(): void;
      awaited(listener: () => void): () => void;
    };
    readonly replica?: { readonly connected: boolean; readonly ageMs: number };
  },
  wait: number,
): Recency {
  const { store, replica } = node;
  return {
    position: () => store.reader.position,
    acknowledged: () => store.acknowledged,
    asked: () => store.asked(),
    changed: (listener) => store.awaited(listener),
    ageMs: () => (replica === undefined || (replica.connected && replica.ageMs < moments) ? 0 : replica.ageMs),
    wait,
  };
}

/** The store as host of the engine. */
export function hostOf(store: HostStore, clock: () => number = Date.now): EngineHost<Model, Session> {
  const modelAfter = (position: number): Model => store.past.at(position);
  return {
    model: () => store.reader,
    modelAt: (asOf) => store.past.asOf(asOf),
    isLongAgo: (asOf) => store.past.isLongAgo(asOf),
    modelAfter,
    submit: (context, work) => store.submit(context, work),
    isCurrent: () => store.isCurrent(),
    attempt: (session, work) => session.attempt(work),
    holding,
    preview: previewsOn(() => store.reader, clock),
    withImmediateReactions: (session, work) => session.withImmediateReactions(work),
    keptAnswer,
    keepAnswer,
    makeAgain: (texts, { position, viewer }) => renderAgain(modelAfter(position), viewer, texts),
    cacheVersion: (key) => store.cacheVersions.of(key),
    authenticate: (login, password, now) => authenticate(store.reader, login, password, now),
    authenticatePerson: async (login, password, now) => {
      const digest = await secretDigestLater(password, accountSalt(store.reader, login));
      return authenticatePerson(store.reader, { login, password, digest, now });
    },
    authenticateToken: (token, now) => authenticateToken(store.reader, token, now),
    takesPasswords: () => !store.reader.plugin(tools).switches.disable_authentication_password,
    usersKey: 'credentials',
    siteUrl: (model = store.reader) => model.site().storeUrl,
    addresses: () => {
      const { url, storeUrl, mediaUrl } = store.reader.site();
      return [...new Set([url, storeUrl, mediaUrl])].join(' ');
    },
  };
}
