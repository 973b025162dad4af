import { flagAt, isNumber, isSet, mapAt, styleText, textAt, valueAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { filterMarkup } from '#blocks/filter.ts';
import type { JsonMap, JsonValue } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { kebabCase } from '#blocks/supports/class-names.ts';
import { fluidSize } from '#blocks/supports/fluid-size.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import type { Make } from '../types.ts';

interface Form {
  readonly attributes: JsonMap;
  readonly id: string;
  /** Position of the button; `no-button`: none. */
  readonly place: string;
  readonly label: string;
  readonly buttonText: string;
  readonly styles: SearchStyles;
}

/** Style attributes of the parts of a search form, each preceded by a space; '' for none. */
interface SearchStyles {
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

export const searchBlock: Make = ({ name, attributes }, { rendering: { model, counters } }) => {
  const id = `wp-block-search__input-${counters.next()}`;
  const place = textAt(attributes, 'buttonPosition') ?? 'button-outside';
  const form: Form = {
    attributes,
    id,
    place,
    label: textAt(attributes, 'label') ?? 'Search',
    buttonText: textAt(attributes, 'buttonText') ?? 'Search',
    styles: searchStyles(attributes, place),
  };
  const wrapper = wrapperAttributes(name, attributes, { classes: formClasses(form) });
  const { storeUrl: url } = model.site();
  return (
    `<form role="search" method="get" action="${escapeAddress(`${url}/`)}" ${wrapper} ${scripted(form)}>` +
    `${labelOf(form)}${field(form)}</form>`
  );
};

function formClasses({ attributes, place }: Form): string[] {
  const known = ['button-inside', 'button-outside', 'no-button', 'button-only'].includes(place);
  const kind = flagAt(attributes, 'buttonUseIcon') === true ? 'icon' : 'text';
  return [
    ...(known ? [`wp-block-search__${place}`] : []),
    ...(place === 'button-only' ? ['wp-block-search__searchfield-hidden'] : []),
    ...(place !== 'no-button' && place !== '' ? [`wp-block-search__${kind}-button`] : []),
  ];
}

function labelOf({ attributes, id, label, styles }: Form): string {
  const isShown = (flagAt(attributes, 'showLabel') ?? true) && isSet(label);
  const classes = ['wp-block-search__label', isShown ? searchClasses(attributes).text : 'screen-reader-text'];
  const text = isSet(label) ? filterMarkup(label) : 'Search';
  return `<label class="${joined(classes)}" for="${id}" ${styles.label}>${text}</label>`;
}

function field(form: Form): string {
  const { attributes, place, styles } = form;
  const classes = [
    'wp-block-search__inside-wrapper',
    place === 'button-inside' ? searchClasses(attributes).border : '',
  ];
  return `<div class="${joined(classes)}" ${styles.wrapper}>${input(form)}${hidden(attributes)}${button(form)}</div>`;
}

function input({ attributes, id, place, styles }: Form): string {
  const { border, text } = searchClasses(attributes);
  const classes = joined(['wp-block-search__input', place === 'button-inside' ? '' : border, text]);
  const placeholder = escapeAttribute(textAt(attributes, 'placeholder') ?? '');
  const waiting =
    place === 'button-only'
      ? [
          'aria-hidden="true"',
          'data-wp-bind--aria-hidden="!context.isSearchInputVisible"',
          'data-wp-bind--tabindex="state.tabindex"',
        ]
      : [];
  const own = [...waiting.slice(0, 1), `class="${classes}"`, ...waiting.slice(1), `id="${id}"`];
  const last = place === 'button-only' ? ' tabindex="-1"' : '';
  return `<input ${own.join(' ')} placeholder="${placeholder}"${last} value="" type="search" name="s" required ${styles.input}/>`;
}

function hidden(attributes: JsonMap): string {
  return [...(mapAt(attributes, 'query') ?? new Map())]
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : isNumber(value) ? value.number : '';
      return `<input type="hidden" name="${escapeAttribute(String(name))}" value="${escapeAttribute(text)}" />`;
    })
    .join('');
}

function button({ attributes, id, place, buttonText, styles }: Form): string {
  if (place === 'no-button') return '';
  const { border, text, colours } = searchClasses(attributes);
  const usesIcon = flagAt(attributes, 'buttonUseIcon') === true;
  const classes = joined([
    ...['wp-block-search__button', colours, text, place === 'button-inside' ? '' : border],
    ...[usesIcon ? 'has-icon' : '', 'wp-element-button'],
  ]);
  const inside = usesIcon ? ICON : isSet(buttonText) ? filterMarkup(buttonText) : '';
  if (place === 'button-only') {
    const own =
      `aria-controls="${id}" aria-expanded="false" aria-label="Expand search field" class="${classes}" ` +
      'data-wp-bind--aria-controls="state.ariaControls" data-wp-bind--aria-expanded="context.isSearchInputVisible" ' +
      'data-wp-bind--aria-label="state.ariaLabel" data-wp-bind--type="state.type" data-wp-on--click="actions.openSearchInput"';
    return `<button ${own} type="button" ${styles.button}>${inside}</button>`;
  }
  const label = escapeAttribute(stripMarkup(buttonText));
  return `<button aria-label="${label}" class="${classes}" type="submit" ${styles.button}>${inside}</button>`;
}

function scripted({ id, place }: Form): string {
  if (place !== 'button-only') return '';
  const context = JSON.stringify({
    isSearchInputInitiallyVisible: false,
    inputId: id,
    ariaLabelExpanded: 'Submit Search',
    ariaLabelCollapsed: 'Expand search field',
  });
  return `
		 data-wp-interactive="core/search"
		 data-wp-context='${context}'
		 data-wp-class--wp-block-search__searchfield-hidden="!context.isSearchInputVisible"
		 data-wp-on--keydown="actions.handleSearchKeydown"
		 data-wp-on--focusout="actions.handleSearchFocusout"
		`;
}

function joined(classes: readonly string[]): string {
  return escapeAttribute(classes.filter((name) => name !== '').join(' '));
}

const ICON = `<svg class="search-icon" viewBox="0 0 24 24" width="24" height="24">
					<path d="M13 5c-3.3 0-6 2.7-6 6 0 1.4.5 2.7 1.3 3.7l-3.8 3.8 1.1 1.1 3.8-3.8c1 .8 2.3 1.3 3.7 1.3 3.3 0 6-2.7 6-6S16.3 5 13 5zm0 10.5c-2.5 0-4.5-2-4.5-4.5s2-4.5 4.5-4.5 4.5 2 4.5 4.5-2 4.5-4.5 4.5z"></path>
				</svg>`;

function searchStyles(attributes: JsonMap, place: string): SearchStyles {
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

function searchClasses(attributes: JsonMap): SearchClasses {
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
  return text !== undefined && unit !== '' && /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? text + unit : text;
}

function styleAttribute(declarations: readonly string[]): string {
  return declarations.length === 0 ? '' : ` style="${escapeAttribute(declarations.join(';'))}"`;
}
