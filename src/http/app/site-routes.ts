import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { PasswordUses } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { addAudit } from '../audit/server.ts';
import type { AuditStore } from '../audit/store.ts';
import type { Visits } from '../audit/visit.ts';
import { type Accounts, addAuthorization } from '../authorize/server.ts';
import { addAvatars } from '../avatars/server.ts';
import { createForeignCheck } from '../engine/foreign.ts';
import type { EngineHost } from '../engine/host.ts';
import type { Route } from '../engine/types.ts';
import { addMcp } from '../mcp/server.ts';
import { type Tool, toolsOf } from '../mcp/tools.ts';
import type { AsOf } from '../pages/as-of.ts';
import { createCommentForm, type SendComment } from '../pages/comment-form.ts';
import { createKeptPages } from '../pages/kept.ts';
import { createPreviewLogin, PREVIEW, previewLength } from '../pages/preview.ts';
import { addPages, type PageServer } from '../pages/server.ts';
import { addFonts, type ThemeFonts } from '../pages/themes/fonts.ts';
import { type HandOver, takeOver } from '../server/exchange.ts';
import { addFiles, type FindFile } from '../server/files.ts';
import { lookUpOf, type Origins } from '../server/origin.ts';
import { ageHeaders, type Recency } from '../server/recency.ts';
import { isRead } from '../server/serve.ts';
import { createSessions, type SessionKeeper } from '../server/sessions.ts';
import { addPublicLog, type PublicLog } from '../server/tlog.ts';
import type { AppParts } from './parts.ts';

type Shared = Pick<AppParts, 'intake' | 'authenticator' | 'addressOf' | 'notFound' | 'onFault'>;
type Logins = ReturnType<typeof loginsOf>;

/** What holds the data behind the audit pages, and lets users give application passwords to programs. */
export interface SiteStore extends AuditStore, Accounts {
  readonly uses: Pick<PasswordUses, 'note'>;
  /** Absent: there is no transparency log. */
  readonly publicLog?: PublicLog;
}

export interface SiteOptions {
  readonly host: Pick<EngineHost<never, never>, 'siteUrl' | 'cacheVersion' | 'pool'>;
  /** Makes pages of the past that take long; absent: they are made here. */
  readonly visits?: Visits | undefined;
  readonly routes: readonly Route<never, never>[];
  readonly corsOrigins?: readonly string[];
  readonly recency?: Recency;
  readonly origins?: Origins | undefined;
  /** Finds uploaded files by their path below that of the uploads; absent: there are none. */
  readonly files?: FindFile;
  /** The model behind the pages for people; absent: there are no pages. */
  readonly pages?: () => Model;
  /** Fonts of the site's themes; absent: pages use fonts that visitors have. */
  readonly fonts?: ThemeFonts;
  /** Whether pages are compressed for clients that accept that. Default: yes. */
  readonly compress?: boolean;
  readonly handOver?: HandOver;
  readonly asOf?: AsOf | undefined;
  /** Whether visitors without an account may comment on the pages. Default: no. */
  readonly visitorComments?: boolean;
  /** Absent: there are no pages where people log in. */
  readonly store?: SiteStore;
  /** Keeps logins to the audit pages across restarts; absent: they end with the process. */
  readonly sessions?: SessionKeeper;
}

/** Lifetime in milliseconds of a login to the audit pages. */
const auditLength = 8 * 60 * 60 * 1000;
/** Lifetime in milliseconds of a login to the page that gives programs passwords. */
const authorizeLength = 10 * 60 * 1000;

/** Adds what a site serves besides its interface. Returns the pages for people; null: there are none. */
export function addSite(site: FastifyInstance, options: SiteOptions, parts: AppParts): PageServer | null {
  const { files: find, pages: model, store, recency } = options;
  const { intake, authenticator, addressOf, notFound, onFault } = parts;
  const shared = { intake, authenticator, addressOf, notFound, onFault };
  if (recency !== undefined) site.addHook('onRequest', currentEnough(recency, parts));
  if (find !== undefined) site.register(async (own) => addFiles(own, { find, ...shared }));
  const log = store?.publicLog;
  if (log !== undefined)
    site.register(async (own) =>
      addPublicLog(own, { log, path: `${parts.root}/tlog`, notFound, intake, server: parts.server }),
    );
  const logins = store && loginsOf(options, store, parts);
  if (logins !== undefined) addLogins(site, options, { logins, shared, parts });
  if (model === undefined) return null;
  site.register(async (own) => addAvatars(own));
  const pages = addPeople(site, options, { parts, shared, logins, model });
  addPrograms(site, options, { parts, shared, model });
  return pages;
}

/** Answers only from a read model that shows this node's writes, and states its age. */
function currentEnough(recency: Recency, { targetOf, server, names }: AppParts): onRequestHookHandler {
  return (request, reply, done) => {
    if (targetOf(request.raw.url ?? '') !== null) return done();
    if (isRead(request.method)) recency.asked();
    if (recency.position() < recency.acknowledged()) return server.behind(takeOver(request, reply));
    reply.raw.setHeaders(ageOf(recency, names.headers));
    done();
  };
}

/** Adds the pages where people log in: the audit, and the authorization of applications. */
function addLogins(
  site: FastifyInstance,
  { origins, fonts, visits }: SiteOptions,
  { logins, shared, parts }: { readonly logins: Logins; readonly shared: Shared; readonly parts: AppParts },
): void {
  const { engine, names } = parts;
  const audit = { origins: lookUpOf(origins), write: origins, fonts, visits, engine, names };
  site.register(async (own) => addAudit(own, { ...logins, ...shared, ...audit }));
  const authorizing = { ...logins, accounts: logins.store, sessions: logins.authorizing, origins };
  site.register(async (own) => addAuthorization(own, { ...authorizing, ...shared }));
}

interface PeopleParts {
  readonly parts: AppParts;
  readonly shared: Shared;
  readonly logins: Logins | undefined;
  readonly model: () => Model;
}

function addPeople(
  site: FastifyInstance,
  options: SiteOptions,
  { parts, shared, logins, model }: PeopleParts,
): PageServer {
  const { host, fonts, asOf } = options;
  const { cache, clock, loginThrottle } = parts;
  const { isForeign } = createForeignCheck({ siteUrl: () => host.siteUrl(), named: [] });
  const sendComment = commentsOf(options, parts, isForeign);
  const { cacheVersion, pool } = host;
  const kept = createKeptPages({ cache, cacheVersion, pool });
  if (fonts !== undefined) site.register(async (own) => addFonts(own, fonts));
  const previews = logins && createPreviewLogin({ ...shared, model, isForeign, sessions: logins.previewing });
  const { compress: compresses = true, handOver } = options;
  const kinds = { model, asOf, clock, loginThrottle, sendComment, kept, compresses, fonts, previews, handOver };
  return addPages(site, { ...kinds, ...shared });
}

function commentsOf(
  { visitorComments = false, origins }: SiteOptions,
  { engine, names, loginThrottle, addressOf }: AppParts,
  isForeign: Parameters<typeof createCommentForm>[0]['isForeign'],
): SendComment | null {
  return visitorComments ? createCommentForm({ engine, names, loginThrottle, isForeign, addressOf, origins }) : null;
}

/** Adds the endpoint of the protocol by which programs use the site. */
function addPrograms(
  site: FastifyInstance,
  { host, routes, origins, corsOrigins = [] }: SiteOptions,
  { parts, shared, model }: Omit<PeopleParts, 'logins'>,
): void {
  const { engine, loginThrottle, root, forInterface } = parts;
  const { isForeign } = createForeignCheck({ siteUrl: () => host.siteUrl(), named: corsOrigins });
  let made: readonly Tool[] | undefined;
  const tools = () => {
    made ??= toolsOf(routes);
    return made;
  };
  const own = {
    engine,
    origins,
    loginThrottle,
    model,
    path: `${root}/mcp`,
    authenticator: forInterface,
    isForeign,
    tools,
  };
  site.register(async (programs) => addMcp(programs, { ...shared, ...own }));
}

function ageOf(recency: Recency, prefix: string): Map<string, string> {
  const [name, value] = ageHeaders(recency, prefix);
  return new Map(name === undefined || value === undefined ? [] : [[name, value]]);
}

function loginsOf({ sessions }: SiteOptions, store: SiteStore, { clock, newId }: AppParts) {
  const keeper = sessions ?? { record: { secret: newId() + newId(), ended: [] }, save: () => undefined };
  const { isForeign } = createForeignCheck({ siteUrl: () => store.reader.site().storeUrl, named: [] });
  const sessionsOf = createSessions({ keeper, clock, newId });
  return {
    store,
    isForeign,
    sessions: sessionsOf({ kind: 'session', right: 'manage_options', length: auditLength }),
    authorizing: sessionsOf({ kind: 'authorize', right: null, length: authorizeLength }),
    previewing: sessionsOf({ kind: PREVIEW, right: null, length: previewLength }),
  };
}
