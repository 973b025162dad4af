import { isIP } from 'node:net';
import { page, post, product } from '#domain/entry/kinds.ts';
import { allowedTypes, isImageType } from '#domain/media/types.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, interfaceUrl, namespaceUrl } from '#site/addresses/interface.ts';

interface SiteStep {
  /** Whether the state of the site shows the step to be done; absent: it cannot show that. */
  readonly isShown?: (model: Model, previewSuffix: string) => boolean;
  readonly address: (model: Model) => string;
}

/** By the id of the step. Renaming and revising are noticed in their commits; payment and shipping are marked only by users. */
const steps: Readonly<Record<string, SiteStep>> = {
  edit_site_title: { address: route('settings') },
  add_page: { isShown: hasPublic(page.name), address: route(page.base) },
  add_post: { isShown: hasPublic(post.name), address: route(post.base) },
  image_upload: { isShown: hasImage, address: route('media') },
  edit_description: { address: route(post.base) },
  store_tasks: { address: (model) => `${namespaceUrl(model.site(), 'host-easy-onboarding/v1')}/get-steps` },
  connect_domain: {
    isShown: (model, previewSuffix) => hasDomain(model.site().url, previewSuffix),
    address: route('settings'),
  },
  search_visibility: { address: (model) => `${model.site().url}/sitemap.xml` },
  setup_store: { address: route('settings') },
  add_product: { isShown: hasPublic(product.name), address: route(product.base) },
  add_payment_method: { address: route('settings') },
  add_shipping_method: { address: route('settings') },
};

export function isShownDone(step: string, model: Model, previewSuffix: string): boolean {
  return steps[step]?.isShown?.(model, previewSuffix) ?? false;
}

export function addressOfStep(step: string, model: Model): string {
  return steps[step]?.address(model) ?? `${interfaceUrl(model.site())}/`;
}

/** Whether an address has a domain of its own: not local, not an IP address, not a preview address. */
export function hasDomain(url: string, previewSuffix: string): boolean {
  const { hostname } = new URL(url);
  if (!hostname.includes('.') || isIP(hostname) !== 0 || hostname.startsWith('[')) return false;
  if (/\.(?:localhost|local)$/.test(hostname)) return false;
  return previewSuffix === '' || !hostname.endsWith(previewSuffix);
}

const one = { orderBy: 'date', order: 'desc', offset: 0, limit: 1 } as const;

function hasPublic(kind: string): (model: Model) => boolean {
  return (model) => model.present().find({ ...one, kind, statuses: [{ status: 'publish' }] }).ids.length > 0;
}

function hasImage(model: Model): boolean {
  const formats = allowedTypes.filter(isImageType);
  const query = { ...one, kind: mediaKind, statuses: [{ status: mediaStatus }] };
  return model.present().find({ ...query, taxonomies: [{ by: 'format', formats }] }).ids.length > 0;
}

function route(collection: string): (model: Model) => string {
  return (model) => `${namespaceUrl(model.site(), CONTENT)}/${collection}`;
}
