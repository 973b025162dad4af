/** Where web servers are; other ports are somebody's inner life. */
const PORTS: readonly string[] = ['', '80', '443', '8080'];
const LONGEST = 2048;

/**
 * An address that may be asked for as far as its text tells: http or https, at a port of the web, without user and
 * password. Null for anything else; `base` is what it is relative to.
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
