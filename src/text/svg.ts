import { type ChildNode, isTag, isText } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';

/** Elements that draw, and what they are made of. Whatever else could be in a drawing is left out. */
const ELEMENTS = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode ' +
    'feOffset'
  ).split(' '),
);
const REFERENCES = new Set(['href', 'xlink:href']);
/** Names of the namespaces of SVG itself. */
const NAMESPACES = new Map([
  ['xmlns', 'http://www.w3.org/2000/svg'],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]);
/** Deeper than any drawing; what is nested deeper is left out. */
const MOST_LEVELS = 64;

/**
 * One SVG element without scripts, event attributes and references to anything outside of it; null when the text is
 * something else.
 */
export function cleanIcon(svg: string): string | null {
  const { childNodes } = parseDocument(svg, { xmlMode: true });
  const roots = childNodes.filter(isTag);
  const [root] = roots;
  const hasText = childNodes.some((node) => isText(node) && node.data.trim() !== '');
  if (root === undefined || roots.length > 1 || root.name !== 'svg' || hasText) return null;
  clean(root, 0);
  return DomUtils.getOuterHTML(root, { xmlMode: true });
}

function clean(node: ChildNode, level: number): void {
  if (!isTag(node)) return;
  for (const [name, value] of Object.entries(node.attribs)) if (!isHarmless(name, value)) delete node.attribs[name];
  for (const child of [...node.childNodes]) {
    const stays = isText(child) || (isTag(child) && ELEMENTS.has(child.name) && level < MOST_LEVELS);
    if (stays) clean(child, level + 1);
    else DomUtils.removeElement(child);
  }
}

function isHarmless(name: string, value: string): boolean {
  if (NAMESPACES.has(name)) return NAMESPACES.get(name) === value;
  if (REFERENCES.has(name)) return /^#[\w-]+$/.test(value.trim());
  if (!/^(?!on)[a-z][\w-]*$/i.test(name) && name !== 'xml:space') return false;
  // Escapes could spell what is looked for here, and nothing in a drawing needs them.
  return !/[\\@]|expression|script:/i.test(value) && !/url\s*\(\s*["']?\s*(?!#)/i.test(value);
}
