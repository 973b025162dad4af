import { namespaceName } from '#domain/site/interface-names.ts';
import { interfaceUrl } from '../addresses/interface.ts';
import type { Rendering } from './types.ts';

/** The path of the request, without its query. */
export function requestPath({ model, path }: Rendering): string {
  const site = model.site();
  const root = new URL(interfaceUrl(site)).pathname;
  const [, namespace = ''] = /^\/([^/]+\/[^/]+)/.exec(path) ?? [];
  return `${root}${namespace === '' ? path : `/${namespaceName(site.names, namespace)}${path.slice(namespace.length + 1)}`}`;
}

/** An address with a query; a parameter without a value has no equals sign. */
export function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) => written(encodeURIComponent(name), value));
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

function written(name: string, value: unknown): readonly string[] {
  if (value === '' || value === undefined || value === null) return [name];
  if (typeof value !== 'object') return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, one]) => written(`${name}%5B${encodeURIComponent(key)}%5D`, one));
}
