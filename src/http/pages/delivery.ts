import type { Model } from '#projections/model.ts';

/** A page whose media are where they are delivered from now, whatever editors wrote into contents before. */
export function withDelivery(body: string, model: Model): string {
  const { url, network, mediaUrl } = model.site();
  if (network === null) return body;
  const [from, to] = mediaUrl === network ? [url, network] : [network, url];
  return body.replaceAll(`${from}/uploads/`, `${to}/uploads/`);
}
