import list from 'oembed-providers/providers.json' with { type: 'json' };

/** A provider on the list, which describes an address without a request to the address itself. */
export interface Provider {
  readonly endpoint: string;
  readonly format: 'json' | 'xml';
}

interface Scheme {
  readonly domain: string;
  /** Includes all subdomains. */
  readonly below: boolean;
  /** Path and query, with `*` for anything. */
  readonly rest: string;
  readonly provider: Provider;
}

interface Listed {
  readonly url: string;
  readonly schemes?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
}

const SCHEME = /^https?:\/\/(\*\.)*([^/*\s]+\.[^/*\s]+)(\/\S*)?$/;

const endpoints: readonly Listed[] = list.flatMap((provider): readonly Listed[] => provider.endpoints);
const schemes = endpoints.flatMap(schemesOf);

/** The provider on the list for an address; null if there is none. */
export function providerOf({ hostname, pathname, search }: URL): Provider | null {
  const host = hostname.toLowerCase();
  const found = schemes.find(
    ({ domain, below, rest }) =>
      (host === domain || (below && host.endsWith(`.${domain}`))) && fits(pathname + search, rest),
  );
  return found?.provider ?? null;
}

function schemesOf({ url, schemes: patterns = [], formats = ['json'] }: Listed): readonly Scheme[] {
  const format = formats.includes('json') ? 'json' : 'xml';
  const provider: Provider = { endpoint: url.replace('{format}', format), format };
  return patterns.flatMap((pattern) => {
    const [, below, domain, rest = '*'] = SCHEME.exec(pattern) ?? [];
    return domain === undefined ? [] : [{ domain: domain.toLowerCase(), below: below !== undefined, rest, provider }];
  });
}

/** Whether a text matches a pattern with `*`. Not a regular expression, which may be slow for long texts. */
function fits(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
