import { isIP } from 'node:net';
import type { PluginReader } from 'palimpsest/plugin';

interface SiteStep {
  /** Whether the state of the site shows the step to be done; absent: it cannot show that. */
  readonly isShown?: (model: PluginReader, previewSuffix: string) => boolean;
  readonly address: (model: PluginReader) => string;
}

/** By the id of the step. Renaming and revising are noticed in their commits; payment and shipping are marked only by users. */
const steps: Readonly<Record<string, SiteStep>> = {
  edit_site_title: { address: route('settings') },
  add_page: { isShown: hasPublic('page'), address: route('pages') },
  add_post: { isShown: hasPublic('post'), address: route('posts') },
  image_upload: { isShown: hasImage, address: route('media') },
  edit_description: { address: route('posts') },
  store_tasks: { address: (model) => `${model.interfaceUrl('host-easy-onboarding/v1')}/get-steps` },
  connect_domain: {
    isShown: (model, previewSuffix) => hasDomain(model.site().url, previewSuffix),
    address: route('settings'),
  },
  search_visibility: { address: (model) => `${model.site().url}/sitemap.xml` },
  setup_store: { address: route('settings') },
  add_product: { isShown: hasPublic('product'), address: route('products') },
  add_payment_method: { address: route('settings') },
  add_shipping_method: { address: route('settings') },
};

export function isShownDone(step: string, model: PluginReader, previewSuffix: string): boolean {
  return steps[step]?.isShown?.(model, previewSuffix) ?? false;
}

export function addressOfStep(step: string, model: PluginReader): string {
  return steps[step]?.address(model) ?? `${model.interfaceUrl()}/`;
}

/** Whether an address has a domain of its own: not local, not an IP address, not a preview address. */
export function hasDomain(url: string, previewSuffix: string): boolean {
  const { hostname } = new URL(url);
  if (!hostname.includes('.') || isIP(hostname) !== 0 || hostname.startsWith('[')) return false;
  if (/\.(?:localhost|local)$/.test(hostname)) return false;
  return previewSuffix === '' || !hostname.endsWith(previewSuffix);
}

function hasPublic(kind: string): (model: PluginReader) => boolean {
  return (model) => model.find({ kind, limit: 1 }).total > 0;
}

function hasImage(model: PluginReader): boolean {
  return model.media({ type: 'image/', limit: 1 }).length > 0;
}

function route(collection: string): (model: PluginReader) => string {
  return (model) => `${model.interfaceUrl('cms/v2')}/${collection}`;
}
