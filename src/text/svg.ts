import { type ChildNode, isTag, isText } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { xmlDocument } from './bounded-document.ts';

/** Drawing elements and their parts. All others are removed. */
const ELEMENTS = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode ' +
    'feOffset'
  ).split(' '),
);
const REFERENCES = new Set(['href', 'xlink:href']);
/** Namespaces of SVG. */
const NAMESPACES = new Map([
  ['xmlns', 'http://www.w3.org/2000/svg'],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]);
/** Deeper than any real drawing; deeper elements are removed. */
const MAX_LEVELS = 64;

/** Cleans a single SVG element: removes scripts, event attributes and external references. Null if the text is something else. */
export function cleanIcon(svg: string): string | null {
  const childNodes = xmlDocument(svg)?.childNodes ?? [];
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
    const stays = isText(child) || (isTag(child) && ELEMENTS.has(child.name) && level < MAX_LEVELS);
    if (stays) clean(child, level + 1);
    else DomUtils.removeElement(child);
  }
}

function isHarmless(name: string, value: string): boolean {
  if (NAMESPACES.has(name)) return NAMESPACES.get(name) === value;
  if (REFERENCES.has(name)) return /^#[\w-]+$/.test(value.trim());
  if (!/^(?!on)[a-z][\w-]*$/i.test(name) && name !== 'xml:space') return false;
  // Escapes could disguise the patterns below, and drawings do not need them.
  return !/[\\@]|expression|script:/i.test(value) && !/url\s*\(\s*["']?\s*(?!#)/i.test(value);
}
