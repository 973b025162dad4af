export type ObjectsAddress = { readonly kind: 'folder'; readonly path: string } | BucketAddress;

export interface BucketAddress {
  readonly kind: 's3';
  readonly bucket: string;
  /** Prefix of all keys; ends with a slash unless it is empty. */
  readonly prefix: string;
  /** Address of the server; absent: Amazon's for the region. */
  readonly endpoint?: string;
  readonly region?: string;
  readonly pathStyle: boolean;
}

/** One letter is a drive. */
const scheme = /^\s*[a-z][a-z\d+.-]+:/i;
const options = new Set(['endpoint', 'region', 'path-style']);

/** Parses a folder or `s3://bucket/prefix?endpoint=…&region=…&path-style=true`. Returns a message if the address is invalid. */
export function parseAddress(text: string): ObjectsAddress | string {
  const fault = localPathFault(text);
  if (fault === null) return { kind: 'folder', path: text };
  const url = /^s3:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return `is neither a folder nor of the form s3://bucket/prefix: it ${fault}`;
  if (url.username !== '' || url.password !== '')
    return 'holds credentials; they belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(url.hostname))
    return 'has no bucket name of small letters, digits, dots and hyphens';
  if (url.port !== '' || url.hash !== '')
    return 'has a port or a fragment; the address of a server goes into ?endpoint=';
  const unknown = [...url.searchParams.keys()].find((key) => !options.has(key));
  if (unknown !== undefined) return `has an option that is not known here: ${/^[\w-]+$/.test(unknown) ? unknown : '?'}`;
  const { endpoint, region, 'path-style': style = 'false' } = Object.fromEntries(url.searchParams);
  if (endpoint !== undefined && !isEndpoint(endpoint)) return 'has an endpoint that is no http or https address';
  if (region !== undefined && !/^[a-z\d-]+$/.test(region)) return 'has a region that cannot be';
  if (!['true', 'false'].includes(style)) return 'has a path-style that is neither true nor false';
  const path = decoded(url.pathname)?.replace(/^\/+|(?<!\/)\/+$/g, '');
  if (path === undefined) return 'has a path with a % that means nothing';
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    pathStyle: style === 'true',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  };
}

/** Why a text is no file or folder of this machine, as the end of a sentence; null if it may be one. */
export function localPathFault(text: string): string | null {
  if (scheme.test(text)) return 'begins like an address; the name of a folder or file with a colon begins with ./';
  return text === text.trim() ? null : 'begins or ends with a blank';
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}
