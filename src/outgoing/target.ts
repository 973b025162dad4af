/** Usual ports of web servers; others may belong to internal services. */
const PORTS: readonly string[] = ['', '80', '443', '8080'];
const LONGEST = 2048;

/**
 * Parses an address that may be requested as far as its text shows: http or https, on a web port, without credentials. Null for others;
 * `base` resolves relative addresses.
 */
export function readTarget(text: string, base?: URL): URL | null {
  const url = readAnyPort(text, base);
  return url !== null && isWebPort(url) ? url : null;
}

export function readAnyPort(text: string, base?: URL): URL | null {
  const url = text.length > LONGEST ? null : URL.parse(text, base?.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url;
}

export function isWebPort({ port }: Pick<URL, 'port'>): boolean {
  return PORTS.includes(port);
}
