import type { CommentRow } from '#projections/comments/types.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { commentHostOf, hostPlace } from '#site/comments/hosts.ts';
import { methodsForComment } from '#site/comments/rights.ts';
import type { JsonText } from '#text/json.ts';

import type { CommentShowing } from './showing.ts';

export function commentLinksJson(row: CommentRow, { viewer, model }: CommentShowing): JsonText {
  const { rest } = linkParts(model.site());
  const collection = `${rest}/comments`;
  const methods = methodsForComment(viewer, row, model);
  const hints = methods.length === 0 ? '' : `,"targetHints":{"allow":${JSON.stringify(methods)}}`;
  const host = commentHostOf(row.post, model);
  const place = host && hostPlace(host);
  const links = [
    `"self":[{"href":"${collection}/${row.id}"${hints}}]`,
    `"collection":[{"href":"${collection}"}]`,
    ...(row.author === 0 ? [] : [`"author":[{"embeddable":true,"href":"${rest}/users/${row.author}"}]`]),
    ...(place === null
      ? []
      : [`"up":[{"embeddable":true,"post_type":"${place.type}","href":"${rest}/${place.path}"}]`]),
    ...(row.parent === 0 ? [] : [`"in-reply-to":[{"embeddable":true,"href":"${collection}/${row.parent}"}]`]),
    ...(model.comments.hasAnswers(row.id)
      ? [`"children":[{"embeddable":true,"href":"${collection}?parent=${row.id}${sameKind(row)}"}]`]
      : []),
  ];
  return `{${links.join()}}`;
}

function sameKind({ kind }: CommentRow): string {
  return kind === 'note' ? '&type=note&status=all' : '';
}
