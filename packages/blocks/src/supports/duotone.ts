import { isNumber } from '../attributes.ts';
import type { Counters } from '../counters.ts';
import type { JsonValue } from '../ordered-json.ts';
import { kebabCase } from './class-names.ts';
import type { ClassRule } from './style-rule.ts';

/** Two colours by which those of a picture are replaced: for its shadows, and for its lights. */
const PRESETS: Readonly<Record<string, readonly [shadows: string, lights: string]>> = {
  'dark-grayscale': ['#000000', '#7f7f7f'],
  grayscale: ['#000000', '#ffffff'],
  'purple-yellow': ['#8c00b7', '#fcff41'],
  'blue-red': ['#000097', '#ff4747'],
  midnight: ['#000000', '#00a5ff'],
  'magenta-yellow': ['#c7005a', '#fff278'],
  'purple-green': ['#a60072', '#67ff66'],
  'blue-orange': ['#1900d8', '#ffa96b'],
};
const PRESET = 'var:preset|duotone|';
/** What a cover shows behind its text. */
const BACKGROUNDS = ['.wp-block-cover__image-background', '.wp-block-cover__video-background'];

/** The class for the colours of a block's pictures, which is numbered unless they are a preset; null for no colours. */
export function duotoneClass(value: JsonValue, counters: Counters): string | null {
  if (Array.isArray(value)) return `wp-duotone-${keyOf(`${coloursIn(value).join('-')}-`)}${counters.next()}`;
  if (typeof value !== 'string') return null;
  const slug = presetIn(value);
  if (slug !== undefined) return `wp-duotone-${slug}`;
  return `wp-duotone-${keyOf(`${value}-`)}${counters.next()}`;
}

/** The rule that such a class stands for. None if the colours are not in hexadecimal digits. */
export function duotoneRules(name: string, className: string, value: JsonValue): readonly ClassRule[] {
  const filter = value === 'unset' ? 'none' : filterOf(coloursOf(value));
  if (filter === undefined) return [];
  const selector = name === 'core/cover' ? BACKGROUNDS.map((one) => `.${className} > ${one}`) : [`.${className} img`];
  return [{ selector: selector.join(', '), declarations: [['filter', filter]] }];
}

function coloursOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return coloursIn(value);
  return PRESETS[presetIn(typeof value === 'string' ? value : '') ?? ''] ?? [];
}

/** The filter as an address in itself: brightness first, and then the place between the colours. */
function filterOf(colours: readonly string[]): string | undefined {
  const channels = colours.map(channelsOf);
  if (channels.length < 2 || channels.some((one) => one === null)) return undefined;
  const tables = ['R', 'G', 'B', 'A'].map((channel, i) => {
    const values = channels.map((one) => Number(((one?.[i] ?? 255) / 255).toFixed(3))).join(' ');
    return `<feFunc${channel} type='table' tableValues='${values}'/>`;
  });
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg'><filter id='d' color-interpolation-filters='sRGB'>` +
    `<feColorMatrix values='${'.299 .587 .114 0 0 '.repeat(3)}.299 .587 .114 0 0'/>` +
    `<feComponentTransfer>${tables.join('')}</feComponentTransfer><feComposite in2='SourceGraphic' operator='in'/></filter></svg>`;
  return `url("data:image/svg+xml,${svg.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('#', '%23')}#d")`;
}

function channelsOf(colour: string): readonly number[] | null {
  const [, short, long] = /^#(?:([\da-f]{3,4})|([\da-f]{6}|[\da-f]{8}))$/i.exec(colour) ?? [];
  const digits = short === undefined ? long : short.replace(/./g, '$&$&');
  return digits?.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? null;
}

function coloursIn(value: readonly JsonValue[]): readonly string[] {
  return value.map((colour) => (typeof colour === 'string' ? colour : isNumber(colour) ? colour.number : ''));
}

/** The name of a preset that exists. */
function presetIn(value: string): string | undefined {
  const slug = kebabCase(value.slice(value.lastIndexOf('|') + 1));
  return value.startsWith(PRESET) && Object.hasOwn(PRESETS, slug) ? slug : undefined;
}

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9_-]/g, '');
}
