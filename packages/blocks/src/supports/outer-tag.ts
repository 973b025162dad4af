import { flagAt, isSet, mapAt, styleText, textAt, valueAt } from '../attributes.ts';
import { blockTypes } from '../block-types/all.ts';
import type { Counters } from '../counters.ts';
import type { OpenTag } from '../open-tag.ts';
import type { JsonMap, JsonValue } from '../ordered-json.ts';
import { duotoneClass } from './duotone.ts';

export interface RenderedTag {
  readonly name: string;
  readonly attributes: JsonMap;
  /** The block's first tag, which may belong to an inner block; null if there is none. */
  readonly outer: OpenTag | null;
  readonly counters: Counters;
}

const VIEWS = ['desktop', 'mobile', 'tablet'];
const NOWHERE: readonly string[] = [];

export function fitText({ name, attributes, outer }: RenderedTag): void {
  if (!supports(name, 'typography.fitText') || !isSet(attributes.get('fitText'))) return;
  outer?.change({
    set: {
      'data-wp-context---core-fit-text': 'core/fit-text::{"fontSize":""}',
      'data-wp-init---core-fit-text': 'core/fit-text::callbacks.init',
      ...(outer.get('data-wp-interactive') === null ? { 'data-wp-interactive': true } : {}),
      'data-wp-style--font-size': 'core/fit-text::context.fontSize',
    },
  });
}

/** Numbers a positioned block; only `sticky` has a visible effect, by the class that is returned. */
export function position({ name, attributes, outer, counters }: RenderedTag): string | null {
  if (!supports(name, 'position.sticky') || !isSet(valueAt(attributes, 'style', 'position'))) return null;
  const className = `wp-container-${counters.next()}`;
  if (textAt(attributes, 'style', 'position', 'type') !== 'sticky') return null;
  outer?.change({ classes: [className, 'is-position-sticky'] });
  return className;
}

export function aspectRatio({ name, attributes, outer }: RenderedTag): void {
  if (!supports(name, 'dimensions.aspectRatio') || outer === null) return;
  const ratio = valueAt(attributes, 'style', 'dimensions', 'aspectRatio');
  const minHeight = valueAt(attributes, 'style', 'dimensions', 'minHeight') ?? valueAt(attributes, 'minHeight');
  if (ratio === undefined && minHeight === undefined) return;
  const text = styleText(ratio);
  const given =
    text === undefined ? 'height:unset;min-height:unset;' : `aspect-ratio:${text};height:unset;min-height:unset;`;
  const isFree = ratio === undefined || text === 'auto';
  outer.change({
    set: { style: appendStyle(outer, isFree ? 'aspect-ratio:unset;' : given) },
    classes: text === undefined ? [] : ['has-aspect-ratio'],
  });
}

/** Colours the pictures of a block, by the class that is returned. */
export function duotone({ name, attributes, outer, counters }: RenderedTag): string | null {
  const value = valueAt(attributes, 'style', 'color', 'duotone');
  if (!supports(name, 'filter.duotone') || value === undefined) return null;
  const className = duotoneClass(value, counters);
  if (className !== null) outer?.change({ classes: [className] });
  return className;
}

export function background({ name, attributes, outer }: RenderedTag): void {
  const given = mapAt(attributes, 'style', 'background');
  if (!supports(name, 'background.backgroundImage') || given === undefined || outer === null) return;
  const css = backgroundStyle(given);
  if (css !== '') outer.change({ set: { style: appendStyle(outer, css) }, classes: ['has-background'] });
}

export function isHidden(attributes: JsonMap): boolean {
  return attributes.has('metadata') && flagAt(attributes, 'metadata', 'blockVisibility') === false;
}

export function hiddenOn(attributes: JsonMap): readonly string[] {
  if (!attributes.has('metadata')) return NOWHERE;
  return VIEWS.filter((view) => flagAt(attributes, 'metadata', 'blockVisibility', 'viewport', view) === false);
}

export function visibility({ attributes, outer }: RenderedTag): void {
  outer?.change({ classes: hiddenOn(attributes).map((view) => `wp-block-hidden-${view}`) });
}

function supports(name: string, feature: string): boolean {
  return blockTypes.get(name)?.features.has(feature) === true;
}

function appendStyle(tag: OpenTag, css: string): string {
  const given = tag.get('style');
  if (typeof given !== 'string' || given === '') return css;
  return given.endsWith(';') ? given + css : `${given};${css}`;
}

function backgroundStyle(given: JsonMap): string {
  const image = imageValue(given.get('backgroundImage'));
  const hasImage = isSet(given.get('backgroundImage'));
  const size = styleText(given.get('backgroundSize')) ?? (hasImage ? 'cover' : undefined);
  const centred = hasImage && size === 'contain' && !isSet(given.get('backgroundPosition')) ? '50% 50%' : undefined;
  return [
    ['background-image', image],
    ['background-position', centred ?? styleText(given.get('backgroundPosition'))],
    ['background-repeat', styleText(given.get('backgroundRepeat'))],
    ['background-size', size],
    ['background-attachment', styleText(given.get('backgroundAttachment'))],
  ]
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => `${property}:${value};`)
    .join('');
}

function imageValue(image: JsonValue | undefined): string | undefined {
  if (!(image instanceof Map)) return styleText(image);
  const url = textAt(image, 'url');
  // An address with a quotation mark is no valid value: it must not be a valid one of another kind either.
  const isUnsafe = url === undefined || url === '' || /[\\\n\r\f]|'[^'();\n\r\u2028\u2029]*[();]/.test(url);
  return isUnsafe ? undefined : `url('${url}')`;
}
