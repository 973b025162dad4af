import { flagAt, isNumber, isSet, mapAt, textAt } from '#text/attributes.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { filterMarkup } from '#text/filter.ts';
import type { JsonMap } from '#text/ordered-json.ts';
import { escapeAttribute } from '#text/references.ts';
import { stripMarkup } from '#text/strip.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import type { Make } from '../types.ts';
import { type SearchStyles, searchClasses, searchStyles } from './search-style.ts';

interface Form {
  readonly attributes: JsonMap;
  readonly id: string;
  /** Position of the button; `no-button`: none. */
  readonly place: string;
  readonly label: string;
  readonly buttonText: string;
  readonly styles: SearchStyles;
}

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
  const { url } = model.site();
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
