import type { IncomingMessage } from 'node:http';
import { previewerOf } from '#commands/previews.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/items.ts';
import { placeAt, placeType } from '#site/addresses/place.ts';
import { shownRevision } from '#site/entries/revisions.ts';
import { type Item, itemOf } from '#site/items/item.ts';
import { publicRendering } from '#site/post-lists/in-contents.ts';
import { postOf, revisionPost, textIn } from '#site/rendering/posts.ts';
import type { Post, Reading } from '#site/rendering/types.ts';
import { canEditEntry } from '#site/rights.ts';
import { html } from '#text/html.ts';
import { resultOf } from '#text/prepared-texts.ts';
import { parseQuery } from '#text/query-string.ts';
import { turnedAway } from '../message/attempts.ts';
import type { Authenticator } from '../server/auth.ts';
import { textField } from '../server/intake.ts';
import { credentialFields, type PageReply, pageReply, seeOther, unkept } from '../server/page-reply.ts';
import { cookiesIn, pageCookie, type Sessions } from '../server/sessions.ts';
import { itemPage } from './item-page.ts';
import { pageDocument } from './layout.ts';

/** What a request for a preview names: `?p=12&preview=true`, or an address with `preview_id`. */
export interface PreviewRequest {
  readonly entry: number;
  /** '' for none. */
  readonly nonce: string;
  /** The featured image that an editor has chosen, 0: none; null: the stored one. */
  readonly image: number | null;
}

export interface PreviewLoginOptions {
  readonly model: () => Model;
  readonly sessions: Sessions;
  readonly authenticator: Authenticator;
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
}

interface Shown {
  readonly status?: number;
  readonly complaint?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Login for those who follow a preview link in a browser. */
export interface PreviewLogin {
  readonly viewerOf: (request: IncomingMessage) => Viewer;
  readonly ask: (request: IncomingMessage, shown?: Shown) => PageReply;
  readonly submit: (request: IncomingMessage, form: Readonly<Record<string, unknown>>) => Promise<PageReply>;
}

/** Name of the form and of the cookie; milliseconds of the session. */
export const PREVIEW = 'preview';
export const previewLength = 60 * 60 * 1000;

/** Reads a request for a preview; null if it is none. */
export function previewIn(url: string, model: Model): PreviewRequest | null {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  if (!query.includes('preview=true')) return null;
  const { preview, preview_id: id, preview_nonce: nonce, p, page_id: page, _thumbnail_id: image } = parseQuery(query);
  if (preview !== 'true') return null;
  const named = [id, p, page].find((one) => typeof one === 'string' && /^\d{1,15}$/.test(one));
  const entry = named === undefined ? (placeAt(path, model)?.row.id ?? 0) : Number(named);
  const chosen = typeof image === 'string' && /^-?\d{1,15}$/.test(image) ? Math.max(0, Number(image)) : null;
  return { entry, nonce: typeof nonce === 'string' ? nonce : '', image: chosen };
}

/** Who sees a preview: the user to whom its link was given, else `viewer`; null if that user may not edit the entry. */
export function previewerFor(
  { entry, nonce }: PreviewRequest,
  viewer: Viewer,
  at: { readonly model: Model; readonly now: number },
): Viewer | null {
  const row = at.model.entry(entry);
  const given = nonce === '' ? null : previewerOf(nonce, entry, at);
  const who = given ?? viewer;
  return row !== undefined && canEditEntry(who, row) ? who : null;
}

/** The page of the entry with the autosave of a user, if there is one; without its password. It is shown to this request alone. */
export function previewPage(
  wanted: PreviewRequest,
  viewer: Viewer,
  { model, url }: { readonly model: Model; readonly url: string },
): PageReply {
  const talk = { isOpen: false, answers: 0, isHeld: false, page: null, comment: 0, refused: null };
  const attempt = () => ({ wait: 0, failed: () => undefined });
  const query = url.split(/\?(.*)/s)[1] ?? '';
  const reply = unkept(itemPage(previewItem(wanted, viewer, model), model, { password: null, attempt, query, talk }));
  return { ...reply, headers: { ...reply.headers, 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' } };
}

function previewItem({ entry, image }: PreviewRequest, viewer: Viewer, model: Model): Item {
  const row = model.entry(entry) as EntryRow;
  const autosave = model
    .revisions(entry)
    .autosaves()
    .find(({ author }) => author === viewer.id);
  const post = autosave === undefined ? postOf(row, model) : revisionPost(shownRevision(autosave, model), model);
  const place = { type: placeType(row.kind), row: { ...row, password: '' }, address: permalink(row, model) };
  return { ...itemOf(place, model), ...textsOf(post, model), ...(image === null ? {} : { image }) };
}

/** Whoever has the link sees this page as the public will: its lists name nothing else that is not public. */
function textsOf(post: Post, model: Model): Pick<Item, 'title' | 'content' | 'excerpt'> {
  const rendering = (query = '', rules?: Reading['rules']) =>
    publicRendering(model, { query: parseQuery(query), rules });
  return {
    title: textIn(post.row?.titleJson ?? resultOf('title', '')),
    content: (query, rules) => rendering(query, rules).content(post),
    excerpt: () => rendering().excerpt(post),
  };
}

export function createPreviewLogin({
  model,
  sessions,
  authenticator,
  isForeign,
  addressOf,
}: PreviewLoginOptions): PreviewLogin {
  const cookie = (name: string, value: string, seconds: number) =>
    pageCookie(name, value, { siteUrl: model().site().storeUrl, path: '/', seconds, sameSite: 'lax' });
  const ask: PreviewLogin['ask'] = (request, { status = 401, complaint, headers } = {}) => {
    const token = sessions.formToken(cookiesIn(request)[`${PREVIEW}-form`]);
    const main = html`<h1>Preview</h1>
<p>This page is not public. Log in to see it, if you may edit it.</p>
${complaint === undefined ? null : html`<p role="alert"><strong>${complaint}</strong></p>`}
<form method="post"><input type="hidden" name="form" value="${PREVIEW}"><input type="hidden" name="token" value="${token}">
${credentialFields('')}
<p><button>Log in</button></p></form>`;
    const body = pageDocument({ model: model(), title: 'Preview', canonical: null, main });
    const reply = unkept(pageReply(body, { site: model().site(), status }));
    return {
      ...reply,
      headers: { ...reply.headers, ...headers, 'Set-Cookie': cookie(`${PREVIEW}-form`, token, sessions.seconds.form) },
    };
  };
  return {
    viewerOf: (request) => sessions.viewerOf(cookiesIn(request)[PREVIEW], model()) ?? anonymous,
    ask,
    async submit(request, form) {
      const token = textField(form, 'token');
      if (isForeign(request.headers) || token !== cookiesIn(request)[`${PREVIEW}-form`] || !sessions.isFormToken(token))
        return ask(request, {
          status: 403,
          complaint: 'The form was too old or came from elsewhere. Please try again.',
        });
      const viewer = await authenticator.check(
        textField(form, 'login'),
        textField(form, 'password'),
        addressOf(request),
      );
      if (isRefusal(viewer)) return ask(request, turnedAway(viewer));
      const folder = new URL(model().site().storeUrl).pathname.replace(/(?<!\/)\/+$/, '');
      const { url = '/' } = request;
      // Two slashes at the beginning, or what browsers take for them, would name another host.
      const own = url.replace(/^[/\\]+/, '/');
      return seeOther(folder + own, cookie(PREVIEW, sessions.begin(viewer), sessions.seconds.session));
    },
  };
}
