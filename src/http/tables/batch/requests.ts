import { parseQuery } from '#text/query-string.ts';
import type { InnerRequest } from '../../engine/inner-calls.ts';
import type { BatchItem } from './args.ts';

/** Scheme and host of an address. */
const ORIGIN = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]+/i;

const requests = new WeakMap<BatchItem, InnerRequest>();

export function requestOf(item: BatchItem): InnerRequest {
  const known = requests.get(item);
  if (known !== undefined) return known;
  const request = innerRequest(item);
  requests.set(item, request);
  return request;
}

function innerRequest({ method = 'POST', path: address, body = {}, headers = {} }: BatchItem): InnerRequest {
  const [target = ''] = address.replace(ORIGIN, '').split('#', 1);
  const mark = target.indexOf('?');
  return {
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: parseQuery(mark === -1 ? '' : target.slice(mark + 1)),
    headers: new Map(Object.entries(headers).map(([name, value]) => [headerName(name), [value].flat().join(',')])),
    body,
  };
}

/** Underscores count as hyphens, as in the reference system. */
function headerName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
