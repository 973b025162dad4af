import { trimText } from './blank.ts';
import { dropControls, filterAddress } from './escape-address.ts';
import { upToLast } from './up-to-last.ts';

const SIDES = ['top', 'right', 'bottom', 'left'];

const PLAIN_PROPERTIES =
  'background background-color background-image background-position background-repeat background-size border margin ' +
  'background-attachment background-blend-mode border-radius border-width border-color border-style border-spacing ' +
  'border-collapse caption-side columns column-count column-fill column-gap column-rule column-span column-width color ' +
  'filter font font-family font-size font-style font-variant font-weight letter-spacing line-height text-align padding ' +
  'text-decoration text-indent text-transform white-space height min-height max-height width min-width max-width flex ' +
  'flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap gap row-gap grid-template-columns ' +
  'grid-auto-columns grid-column-start grid-column-end grid-column grid-column-gap grid-template-rows grid-auto-rows ' +
  'grid-row-start grid-row-end grid-row grid-row-gap grid-gap justify-content justify-items justify-self ' +
  'align-content align-items align-self clear cursor direction float list-style-type object-fit object-position ' +
  'opacity overflow vertical-align writing-mode position z-index box-shadow aspect-ratio container-type display ' +
  'alignment-baseline baseline-shift clip-path clip-rule color-interpolation color-interpolation-filters ' +
  'dominant-baseline fill fill-opacity fill-rule flood-color flood-opacity image-rendering lighting-color marker ' +
  'marker-end marker-mid marker-start mask mask-type paint-order pointer-events shape-rendering stop-color ' +
  'stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit ' +
  'stroke-opacity stroke-width text-anchor text-rendering transform transform-origin vector-effect visibility ' +
  'word-spacing top right bottom left cx cy r rx ry x y';

const PROPERTIES = new Set([
  ...PLAIN_PROPERTIES.split(' '),
  ...SIDES.flatMap((side) => ['', '-color', '-style', '-width'].map((part) => `border-${side}${part}`)),
  ...['top', 'bottom'].flatMap((side) => [`border-${side}-left-radius`, `border-${side}-right-radius`]),
  ...[...SIDES, 'block-start', 'block-end', 'inline-start', 'inline-end'].flatMap((side) => [
    `margin-${side}`,
    `padding-${side}`,
  ]),
]);

const WITH_ADDRESS = new Set(
  (
    'background background-image cursor filter list-style list-style-image clip-path fill stroke mask marker ' +
    'marker-start marker-mid marker-end'
  ).split(' '),
);

const WITH_GRADIENT = new Set(['background', 'background-image']);
const UNSAFE = /[\\(&=}]|\/\*/;

const FUNCTION =
  /\b(?:var|calc|min|max|minmax|clamp|repeat|matrix|matrix3d|perspective|rotate|rotate3d|rotate[XYZ]|scale|scale3d|scale[XYZ]|skew|skew[XY]|translate|translate3d|translate[XYZ]|circle|ellipse|inset|path|polygon|rect|shape|xywh)\(/g;

export function filterStyle(css: string): string {
  const text = trimText(
    dropControls(css)
      .replace(/(?<!\\)\\+0+/g, '')
      .replace(/[\n\r\t]/g, ''),
  );
  const kept = text
    .split(';')
    .filter((declaration) => declaration !== '')
    .map(trimText)
    .filter(isHarmless);
  return kept.reduce((out, declaration) => (out === '' ? declaration : `${out};${declaration}`), '');
}

function isHarmless(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  if (colon < 0) return !UNSAFE.test(dropFunctions(declaration));
  const name = trimText(declaration.slice(0, colon));
  const value = trimText(declaration.slice(colon + 1));
  const isOwn = /^--[a-zA-Z0-9\-_]+$/.test(name);
  if (!isOwn && !PROPERTIES.has(name)) return false;
  let tested = declaration;
  if (isOwn ? value.startsWith('url(') : WITH_ADDRESS.has(name)) {
    if (!hasSafeAddresses(value)) return false;
    const [within, rest] = upToLast(tested, ')');
    tested = within.replace(/url\([^)]+\)/g, '') + rest;
  }
  if ((isOwn ? value.includes('-gradient(') : WITH_GRADIENT.has(name)) && isGradient(value)) return true;
  return !UNSAFE.test(dropFunctions(tested));
}

function hasSafeAddresses(value: string): boolean {
  const [within] = upToLast(value, ')');
  return [...within.matchAll(/url\(([^)]+)\)/g)].every(([, text = '']) => {
    const address = trimText(unquote(trimText(text)));
    return address !== '' && address !== '0' && filterAddress(address) === address;
  });
}

function unquote(text: string): string {
  const quote = text[0];
  const quoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  return quoted ? text.slice(1, -1) : text;
}

function isGradient(value: string): boolean {
  const inner = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((.*)\)$/s.exec(value)?.[1];
  return inner !== undefined && !/[()]/.test(inner.replace(/rgba?\([^()]*\)/g, ''));
}

function dropFunctions(css: string): string {
  if (!css.includes('(')) return css;
  const closing = matchParentheses(css);
  FUNCTION.lastIndex = 0;
  let out = '';
  let done = 0;
  for (let found = FUNCTION.exec(css); found !== null; found = FUNCTION.exec(css)) {
    const end = closing.get(FUNCTION.lastIndex - 1);
    if (end === undefined) continue;
    out += css.slice(done, found.index);
    done = end + 1;
    FUNCTION.lastIndex = done;
  }
  return out + css.slice(done);
}

function matchParentheses(css: string): Map<number, number> {
  const open: number[] = [];
  const closing = new Map<number, number>();
  for (let i = 0; i < css.length; i++) {
    const char = css.charCodeAt(i);
    if (char === 40) open.push(i);
    else if (char === 41) {
      const start = open.pop();
      if (start !== undefined) closing.set(start, i);
    }
  }
  return closing;
}
