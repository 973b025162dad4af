import { isBalanced, isStyleValue } from '#blocks/supports/style-rule.ts';
import { upToLast } from '#blocks/up-to-last.ts';

/** Style rules of blocks, converted to a style sheet limited to a scope. */

export interface SheetRule {
  readonly selector: string;
  readonly declarations: readonly (readonly [string, string | number])[];
  readonly maxWidth?: number;
}

const PROPERTY = /^(?:--)?[a-zA-Z-][\w-]{0,60}$/;
const SELECTOR = /^[\w\s.#:>+~*()[\]="'-]{1,500}$/;

/** Builds the style sheet. Selectors apply only inside `scope`; '': everywhere. Invalid rules are omitted. */
export function sheetOf(rules: readonly SheetRule[], scope: string): string {
  return rules.flatMap((rule) => ruleIn(rule, scope) ?? []).join('\n');
}

function ruleIn({ selector, declarations, maxWidth }: SheetRule, scope: string): string | null {
  const within = scoped(selector, scope);
  const declared = declarations.flatMap(([name, value]) => declaration(name, value) ?? []).join(' ');
  if (within === null || declared === '') return null;
  const rule = `${within} { ${declared} }`;
  return maxWidth === undefined ? rule : `@media (max-width: ${Math.trunc(maxWidth)}px) { ${rule} }`;
}

function declaration(name: string, value: string | number): string | null {
  const property = name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = String(value).trim();
  return PROPERTY.test(property) && isStyleValue(text) ? `${property}: ${text};` : null;
}

function scoped(selector: string, scope: string): string | null {
  const parts = selector.split(',').map((part) => part.trim());
  if (!parts.every((part) => SELECTOR.test(part) && isBalanced(part) && !/^[>+~]/.test(part))) return null;
  return parts.map((part) => (scope === '' ? part : `${scope} ${part}`)).join(', ');
}

/** A style sheet without its comments. */
export function withoutComments(css: string): string {
  const [within, rest] = upToLast(css, '*/');
  return within.replace(/\/\*.*?\*\//gs, '') + rest;
}
