import { isNumber } from '../attributes.ts';
import type { JsonValue } from '../ordered-json.ts';
import { kebabCase } from './class-names.ts';

export type CssDeclaration = readonly [property: string, value: string];

/** A rule of a style sheet. */
export interface ClassRule {
  readonly selector: string;
  readonly declarations: readonly CssDeclaration[];
  /** What it is within, such as `@media (width <= 480px)`. */
  readonly at?: string;
}

/** What could end a rule or a text in it, load a resource, or execute code in old browsers. */
const DANGEROUS = /[{}<>;@\\]|\p{Cc}|\/\*|url\s*\(|image-set|expression|javascript:/iu;
const longest = 500;

/** Whether a text is a value and nothing but a value of a declaration. */
export function isStyleValue(text: string): boolean {
  return text !== '' && text.length <= longest && !DANGEROUS.test(text) && isBalanced(text);
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

/** A value of a block's attributes as a value of a declaration; a preset becomes its variable. Undefined for anything else. */
export function cssValue(value: JsonValue | undefined): string | undefined {
  const text = (isNumber(value) ? value.number : typeof value === 'string' ? value : '').trim();
  const [, kind, slug = ''] = /^var:preset\|([a-z-]{1,30})\|([\w-]{1,100})$/.exec(text) ?? [];
  if (kind !== undefined) return `var(--wp--preset--${kind}--${kebabCase(slug)})`;
  return isStyleValue(text) && !text.includes('var:') ? text : undefined;
}

/** A rule of what is given; none if nothing is. */
export function ruleOf(
  selector: string,
  given: readonly (readonly [property: string, value: string | undefined])[],
  at?: string,
): readonly ClassRule[] {
  const declarations = given.flatMap(([property, value]) => (value === undefined ? [] : [[property, value] as const]));
  return declarations.length === 0 ? [] : [{ selector, declarations, ...(at === undefined ? {} : { at }) }];
}

/** The text of rules, each once. */
export function sheetText(rules: readonly ClassRule[]): string {
  const texts = rules.map(({ selector, declarations, at }) => {
    const rule = `${selector}{${declarations.map(([property, value]) => `${property}:${value}`).join(';')}}`;
    return at === undefined ? rule : `${at}{${rule}}`;
  });
  return [...new Set(texts)].join('\n');
}
