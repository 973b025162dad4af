import { may, type Viewer } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { mediaHostOf } from '#site/addresses/items.ts';
import type { Rendering } from '#site/rendering/types.ts';
import { methodsForMedia } from '#site/rights.ts';
import type { JsonText } from '#text/json.ts';
import type { Context } from '../../engine/types.ts';

export interface MediaShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  readonly rendering: Rendering;
}

export function mediaLinksJson(row: MediaRow, { model, viewer, context }: MediaShowing): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const self = `"href":"${rest}/media/${row.id}"`;
  const methods = methodsForMedia(viewer, row, model);
  const hints = methods.length === 0 ? '' : `,"targetHints":{"allow":${JSON.stringify(methods)}}`;
  const host = mediaHostOf(row, model);
  const own = [
    ...(row.featuredMedia === 0
      ? []
      : [`"${prefix}:featuredmedia":[{"embeddable":true,"href":"${rest}/media/${row.featuredMedia}"}]`]),
    ...(host === null
      ? []
      : [
          `"${prefix}:attached-to":[{"embeddable":true,"post_type":"${host.host.kind}","id":${host.host.id},"href":"${rest}/${host.path}"}]`,
        ]),
    ...(context === 'edit' && may(viewer, 'unfiltered_html') ? [`"${prefix}:action-unfiltered-html":[{${self}}]`] : []),
    ...(context === 'edit' && may(viewer, 'edit_others_posts') ? [`"${prefix}:action-assign-author":[{${self}}]`] : []),
  ];
  const links = [
    `"self":[{${self}${hints}}]`,
    `"collection":[{"href":"${rest}/media"}]`,
    `"about":[{"href":"${rest}/types/attachment"}]`,
    `"author":[{"embeddable":true,"href":"${rest}/users/${row.author}"}]`,
    `"replies":[{"embeddable":true,"href":"${rest}/comments?post=${row.id}"}]`,
    ...own,
    ...(own.length === 0 ? [] : [curies]),
  ];
  return `{${links.join()}}`;
}
