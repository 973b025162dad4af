/** Style rules as the block editor stores them, converted to a style sheet limited to a scope. */

type Fields = Readonly<Record<string, unknown>>;

const PROPERTY = /^(?:--)?[a-zA-Z-][\w-]{0,60}$/;
const SELECTOR = /^[\w\s.#:>+~*()[\]="'-]{1,500}$/;
/** Could end the rule, load a resource, or execute code in old browsers. */
const DANGEROUS = /[{}<>;@\\]|\/\*|url\s*\(|image-set|expression|javascript:/i;
const screens = [
  { member: 'styles', media: null },
  { member: 'tablet_styles', media: '(max-width: 1024px)' },
  { member: 'mobile_styles', media: '(max-width: 767px)' },
] as const;

/** Builds the style sheet. Selectors apply only inside `scope`; '': everywhere. Invalid rules are omitted. */
export function sheetOf(styles: readonly Fields[], scope: string): string {
  return styles
    .flatMap(({ values }) => (Array.isArray(values) ? values : []))
    .flatMap((value) => (isFields(value) ? rulesOf(value, scope) : []))
    .join('\n');
}

function rulesOf(value: Fields, scope: string): readonly string[] {
  const selector = scoped(value['selector'], scope);
  if (selector === null) return [];
  const own = Array.isArray(value['custom_styles']) ? value['custom_styles'].filter(isFields) : [];
  const custom = own.map(({ key, value: text }) => [String(key), text] as const);
  return screens.flatMap(({ member, media }) => {
    const pairs = [...pairsIn(value[member]), ...(media === null ? custom : [])];
    const declared = pairs.flatMap(([name, text]) => declaration(name, text) ?? []).join(' ');
    if (declared === '') return [];
    const rule = `${selector} { ${declared} }`;
    return [media === null ? rule : `@media ${media} { ${rule} }`];
  });
}

function pairsIn(styles: unknown): readonly (readonly [string, unknown])[] {
  if (isFields(styles)) return Object.entries(styles);
  if (typeof styles !== 'string') return [];
  return styles.split(';').map((one) => {
    const colon = one.indexOf(':');
    return [one.slice(0, Math.max(0, colon)).trim(), one.slice(colon + 1)] as const;
  });
}

function declaration(name: string, value: unknown): string | null {
  const property = name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > 500 || !PROPERTY.test(property)) return null;
  return DANGEROUS.test(text) || !isBalanced(text) ? null : `${property}: ${text};`;
}

function scoped(selector: unknown, scope: string): string | null {
  if (typeof selector !== 'string') return null;
  const parts = selector.split(',').map((part) => part.trim());
  if (!parts.every((part) => SELECTOR.test(part) && isBalanced(part) && !/^[>+~]/.test(part))) return null;
  return parts.map((part) => (scope === '' ? part : `${scope} ${part}`)).join(', ');
}

/** Whether all quotation marks and brackets are closed, so that the text cannot swallow what follows. */
export function isBalanced(text: string): boolean {
  const open: string[] = [];
  let quote = '';
  for (const mark of text) {
    if (quote !== '') quote = mark === quote ? '' : quote;
    else if (mark === '"' || mark === "'") quote = mark;
    else if ('([{'.includes(mark)) open.push(mark);
    else if (')]}'.includes(mark) && open.pop() !== '([{'[')]}'.indexOf(mark)]) return false;
  }
  return quote === '' && open.length === 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
