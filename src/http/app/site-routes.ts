import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Model } from '#projections/reading/model.ts';
import { addAudit } from '../audit/server.ts';
import type { AuditStore } from '../audit/store.ts';
import { addAuthorization } from '../authorize/server.ts';
import { addAvatars } from '../avatars/server.ts';
import { createForeignCheck } from '../engine/foreign.ts';
import { addMcp } from '../mcp/server.ts';
import { type Tool, toolsOf } from '../mcp/tools.ts';
import { createCommentForm, type SendComment } from '../pages/comment-form.ts';
import { createKeptPages } from '../pages/kept.ts';
import { createPreviewLogin, PREVIEW, previewLength } from '../pages/preview.ts';
import { addPages, type PageServer } from '../pages/server.ts';
import { addFonts } from '../pages/themes/fonts.ts';
import { takeOver } from '../server/exchange.ts';
import { addFiles } from '../server/files.ts';
import { ageHeaders, type Recency } from '../server/recency.ts';
import { isRead } from '../server/serve.ts';
import { createSessions } from '../server/sessions.ts';
import type { AppOptions, AppParts } from './parts.ts';

type Shared = Pick<AppParts, 'intake' | 'authenticator' | 'addressOf' | 'notFound' | 'onFault'>;
type Logins = ReturnType<typeof loginsOf>;

/** Lifetime in milliseconds of a login to the audit pages. */
const auditLength = 8 * 60 * 60 * 1000;
/** Lifetime in milliseconds of a login to the page that gives programs passwords. */
const authorizeLength = 10 * 60 * 1000;

/** Adds what a site serves besides its interface. Returns the pages for people; null: there are none. */
export function addSite<M, S extends M>(
  site: FastifyInstance,
  options: AppOptions<M, S>,
  parts: AppParts,
): PageServer | null {
  const { files: find, pages: model, audit, recency } = options;
  const { intake, authenticator, addressOf, notFound, onFault } = parts;
  const shared = { intake, authenticator, addressOf, notFound, onFault };
  if (recency !== undefined) site.addHook('onRequest', currentEnough(recency, parts));
  if (find !== undefined) site.register(async (own) => addFiles(own, { find, ...shared }));
  const logins = audit && loginsOf(options, audit, parts);
  if (logins !== undefined) addLogins(site, options, { logins, shared });
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
    if (recency.position() < recency.owed()) return server.behind(takeOver(request, reply));
    reply.raw.setHeaders(ageOf(recency, names.headers));
    done();
  };
}

/** Adds the pages where people log in: the audit, and the authorization of applications. */
function addLogins<M, S extends M>(
  site: FastifyInstance,
  { host, accounts, origins }: AppOptions<M, S>,
  { logins, shared }: { readonly logins: Logins; readonly shared: Shared },
): void {
  site.register(async (own) => addAudit(own, { ...logins, ...shared, runText: host.runText }));
  const authorizing = { ...logins, sessions: logins.authorizing, origins };
  if (accounts !== undefined)
    site.register(async (own) => addAuthorization(own, { ...authorizing, accounts, ...shared }));
}

interface PeopleParts {
  readonly parts: AppParts;
  readonly shared: Shared;
  readonly logins: Logins | undefined;
  readonly model: () => Model;
}

function addPeople<M, S extends M>(
  site: FastifyInstance,
  options: AppOptions<M, S>,
  { parts, shared, logins, model }: PeopleParts,
): PageServer {
  const { host, fonts, asOf } = options;
  const { cache, clock, guesses } = parts;
  const { isForeign } = createForeignCheck({ siteUrl: () => host.siteUrl(), named: [] });
  const sendComment = commentsOf(options, parts, isForeign);
  const { cacheVersion, elsewhere } = host;
  const kept = createKeptPages({ cache, cacheVersion, elsewhere });
  if (fonts !== undefined) site.register(async (own) => addFonts(own, fonts));
  const previews = logins && createPreviewLogin({ ...shared, model, isForeign, sessions: logins.previewing });
  const kinds = { model, asOf, clock, guesses, sendComment, kept, fonts, previews, handOver: options.handOver };
  return addPages(site, { ...kinds, ...shared });
}

function commentsOf<M, S extends M>(
  { visitorComments = false, origins }: AppOptions<M, S>,
  { engine, names, guesses, addressOf }: AppParts,
  isForeign: Parameters<typeof createCommentForm>[0]['isForeign'],
): SendComment | null {
  return visitorComments ? createCommentForm({ engine, names, guesses, isForeign, addressOf, origins }) : null;
}

/** Adds the endpoint of the protocol by which programs use the site. */
function addPrograms<M, S extends M>(
  site: FastifyInstance,
  { host, routes, origins, corsOrigins = [] }: AppOptions<M, S>,
  { parts, shared, model }: Omit<PeopleParts, 'logins'>,
): void {
  const { engine, guesses, root, forInterface } = parts;
  const { isForeign } = createForeignCheck({ siteUrl: () => host.siteUrl(), named: corsOrigins });
  let made: readonly Tool[] | undefined;
  const tools = () => {
    made ??= toolsOf(routes);
    return made;
  };
  const own = { engine, origins, guesses, model, path: `${root}/mcp`, authenticator: forInterface, isForeign, tools };
  site.register(async (programs) => addMcp(programs, { ...shared, ...own }));
}

function ageOf(recency: Recency, prefix: string): Map<string, string> {
  const [name, value] = ageHeaders(recency, prefix);
  return new Map(name === undefined || value === undefined ? [] : [[name, value]]);
}

function loginsOf<M, S extends M>(
  { sessions, origins }: AppOptions<M, S>,
  store: AuditStore,
  { clock, newId }: AppParts,
) {
  const keeper = sessions ?? { record: { secret: newId() + newId(), ended: [] }, save: () => undefined };
  const { isForeign } = createForeignCheck({ siteUrl: () => store.reader.site().url, named: [] });
  const sessionsOf = createSessions({ keeper, clock, newId });
  return {
    ...{ store, isForeign, originOf: origins?.originOf },
    sessions: sessionsOf({ kind: 'session', right: 'manage_options', length: auditLength }),
    authorizing: sessionsOf({ kind: 'authorize', right: null, length: authorizeLength }),
    previewing: sessionsOf({ kind: PREVIEW, right: null, length: previewLength }),
  };
}
