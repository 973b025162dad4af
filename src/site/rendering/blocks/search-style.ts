import { flagAt, isNumber, isSet, mapAt, styleText, textAt, valueAt } from '#text/attributes.ts';
import type { JsonMap, JsonValue } from '#text/ordered-json.ts';
import { escapeAttribute } from '#text/references.ts';
import { fluidSize } from '#text/supports/fluid-size.ts';
import { kebabCase } from '#text/supports/kebab.ts';

/** Style attributes of the parts of a search form, each preceded by a space; '' for none. */
export interface SearchStyles {
  readonly wrapper: string;
  readonly label: string;
  readonly input: string;
  readonly button: string;
}

export interface SearchClasses {
  readonly colours: string;
  readonly border: string;
  readonly text: string;
}

const SIDES = ['top', 'right', 'bottom', 'left'];

const TEXT_PROPERTIES = [
  ['fontFamily', 'font-family'],
  ['letterSpacing', 'letter-spacing'],
  ['fontWeight', 'font-weight'],
  ['fontStyle', 'font-style'],
  ['lineHeight', 'line-height'],
  ['textTransform', 'text-transform'],
] as const;

export function searchStyles(attributes: JsonMap, place: string): SearchStyles {
  const isInside = place === 'button-inside';
  const borders = [...borderStyles(attributes), ...sideStyles(attributes)];
  const corners = cornerStyles(attributes);
  const shared = [...(isInside ? [] : borders), ...corners.map(({ own }) => own)];
  const text = textStyles(attributes);
  const line = styleText(valueAt(attributes, 'style', 'typography', 'textDecoration'));
  const lines = line === undefined ? [] : [`text-decoration: ${line}`];
  const showsLabel = flagAt(attributes, 'showLabel') ?? true;
  return {
    wrapper: styleAttribute([
      ...widthStyle(attributes),
      ...(isInside ? borders : []),
      ...(isInside ? corners.flatMap(({ around }) => around) : []),
    ]),
    label: styleAttribute([...text, ...(showsLabel ? lines : [])]),
    input: styleAttribute([...shared, ...text]),
    button: styleAttribute([...shared, ...colourStyles(attributes), ...text, ...lines]),
  };
}

export function searchClasses(attributes: JsonMap): SearchClasses {
  const named = (name: string): string | undefined => textAt(attributes, name) || undefined;
  const given = (...path: string[]): boolean => isSet(valueAt(attributes, 'style', ...path));
  const [text, background, gradient, border] = ['textColor', 'backgroundColor', 'gradient', 'borderColor'].map(named);
  const hasBackground =
    background !== undefined || gradient !== undefined || given('color', 'background') || given('color', 'gradient');
  return {
    colours: words([
      text !== undefined ? `has-text-color has-${text}-color` : given('color', 'text') ? 'has-text-color' : '',
      hasBackground ? 'has-background' : '',
      background === undefined ? '' : `has-${background}-background-color`,
      gradient === undefined ? '' : `has-${gradient}-gradient-background`,
    ]),
    border:
      border !== undefined
        ? `has-border-color has-${border}-border-color`
        : given('border', 'color')
          ? 'has-border-color'
          : '',
    text: words([
      named('fontSize') === undefined ? '' : `has-${named('fontSize')}-font-size`,
      named('fontFamily') === undefined ? '' : `has-${named('fontFamily')}-font-family`,
    ]),
  };
}

function words(classes: readonly string[]): string {
  return classes.filter((name) => name !== '').join(' ');
}

function widthStyle(attributes: JsonMap): string[] {
  const [width, unit] = [attributes.get('width'), textAt(attributes, 'widthUnit')];
  if (!isSet(width) || !isSet(unit)) return [];
  const number = Math.trunc(Number.parseFloat(isNumber(width) ? width.number : String(width))) || 0;
  return [`width: ${number}${unit}`];
}

function borderStyles(attributes: JsonMap): string[] {
  return ['width', 'color', 'style'].flatMap((key) => {
    const value = textOf(valueAt(attributes, 'style', 'border', key), key === 'width' ? 'px' : '');
    return value === undefined ? [] : [`border-${key}: ${value}`];
  });
}

function sideStyles(attributes: JsonMap): string[] {
  return ['width', 'color', 'style'].flatMap((key) =>
    SIDES.flatMap((side) => {
      const value = styleText(valueAt(attributes, 'style', 'border', side, key));
      return value === undefined ? [] : [`border-${side}-${key}: ${presetColour(value)}`];
    }),
  );
}

function presetColour(value: string): string {
  return value.includes('var:preset|color|')
    ? `var(--wp--preset--color--${value.slice(value.lastIndexOf('|') + 1)})`
    : value;
}

function cornerStyles(attributes: JsonMap): { own: string; around: string[] }[] {
  const radius = valueAt(attributes, 'style', 'border', 'radius');
  if (!isSet(radius)) return [];
  const corners = mapAt(attributes, 'style', 'border', 'radius');
  const all: [string, JsonValue | undefined][] =
    corners === undefined
      ? [['border-radius', radius]]
      : [...corners].map(([corner, value]) => [`border-${kebabCase(corner)}-radius`, value]);
  return all.flatMap(([property, value]) => {
    const text = textOf(value, corners === undefined ? 'px' : '');
    if (text === undefined) return [];
    const around = Number.parseInt(text, 10) ? [`${property}: calc(${text} + 4px)`] : [];
    return [{ own: `${property}: ${text}`, around }];
  });
}

function colourStyles(attributes: JsonMap): string[] {
  return [
    ['text', 'color'],
    ['background', 'background-color'],
    ['gradient', 'background'],
  ].flatMap(([key = '', property]) => {
    const value = styleText(valueAt(attributes, 'style', 'color', key));
    return value === undefined ? [] : [`${property}: ${value}`];
  });
}

function textStyles(attributes: JsonMap): string[] {
  const size = styleText(valueAt(attributes, 'style', 'typography', 'fontSize'));
  return [
    ...(size === undefined ? [] : [`font-size: ${fluidSize(size)}`]),
    ...TEXT_PROPERTIES.flatMap(([key, property]) => {
      const value = styleText(valueAt(attributes, 'style', 'typography', key));
      return value === undefined ? [] : [`${property}: ${value}`];
    }),
  ];
}

/** A value as text; numbers get the unit. */
function textOf(value: JsonValue | undefined, unit: string): string | undefined {
  const text = styleText(value);
  return text !== undefined && unit !== '' && /^-?\d*\.?\d+$/.test(text) ? text + unit : text;
}

function styleAttribute(declarations: readonly string[]): string {
  return declarations.length === 0 ? '' : ` style="${escapeAttribute(declarations.join(';'))}"`;
}
