import type { Model } from '#projections/reading/model.ts';
import type { PageReply } from '../server/page-reply.ts';

/** Points the media addresses of a page to where media are currently delivered, whatever editors wrote into contents before. */
export function withDelivery(body: PageReply['body'], model: Model): PageReply['body'] {
  const { url, network, mediaUrl } = model.site();
  if (network === null) return body;
  const [from, to] = mediaUrl === network ? [url, network] : [network, url];
  return body.map((piece) => piece.replaceAll(`${from}/uploads/`, `${to}/uploads/`));
}
