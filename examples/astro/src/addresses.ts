const { STORE = 'http://localhost:8080', FRONT_URL = 'http://localhost:4321' } = process.env;
/** Widths among `IMAGE_LENGTHS` of the store. */
const widths = [320, 640, 960, 1280, 1920];
const withoutSlash = (address: string) => address.replace(/\/+$/, '');

export const store = withoutSlash(STORE);
/** Links in answers begin with one of these: with the second, if the store knows this front end by `FRONT_URL`. */
const origins = new Set([store, withoutSlash(FRONT_URL)]);

/** `home`: how the store names itself or its pages, which may be otherwise than how they are reached from here. */
export const learn = (home: string) => origins.add(withoutSlash(home));

/** An address in an answer as one that leads here; files stay with the store. Within a preview links keep its token. */
export function here(address: string, preview: string | null): string {
  const origin = [...origins].find((one) => address === one || address.startsWith(`${one}/`)) ?? '';
  const path = address.slice(origin.length) || '/';
  if (!/^\/(?!\/)/.test(path)) return address;
  if (/^\/(?:uploads|avatar|cms-json)\//.test(path)) return store + path;
  if (preview === null) return path;
  const [before = '', ...fragment] = path.split(/(?=#)/);
  return `${before}${before.includes('?') ? '&' : '?'}preview=${encodeURIComponent(preview)}${fragment.join('')}`;
}

/** The same for all addresses in rendered text. */
export function inHere(html: string, preview: string | null): string {
  return html.replace(/(\s(?:href|src|srcset|action|poster)=")([^"]*)/g, (_, name: string, value: string) => {
    const each = name.includes('srcset') ? value.split(/,\s+/) : [value];
    return name + each.map((one) => here(one, preview)).join(', ');
  });
}

/** Smaller pictures of an uploaded image, by its address. */
export function srcset(url: string, width: number): string | undefined {
  const smaller = widths.filter((one) => one < width).map((one) => `${url}?w=${one}&fm=webp ${one}w`);
  return smaller.length === 0 ? undefined : [...smaller, `${url}?fm=webp ${width}w`].join(', ');
}
