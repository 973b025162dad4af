import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { isSet, textAt } from '#text/attributes.ts';
import { filterMarkup } from '#text/filter.ts';
import { escapeAttribute } from '#text/references.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { termLink } from '../../addresses/terms.ts';
import { termsByName } from '../../entries/classes.ts';
import { aligned, linkTo } from '../pieces.ts';
import { termIdsOf } from '../terms.ts';
import type { Make } from '../types.ts';

export const postTerms: Make = ({ name, attributes }, { post: { row }, rendering: { model } }) => {
  const taxonomy = textAt(attributes, 'term') ?? '';
  if (row === undefined || !Object.hasOwn(termKinds, taxonomy)) return '';
  if (!termKinds[taxonomy as Taxonomy].type.viewable) return '';
  const terms = termsByName(termIdsOf(row, taxonomy as Taxonomy), model);
  if (terms.length === 0) return '';
  const part = (kind: 'prefix' | 'suffix') => {
    const text = textAt(attributes, kind);
    return isSet(text) ? `<span class="wp-block-post-terms__${kind}">${text}</span>` : '';
  };
  const given = textAt(attributes, 'separator') ?? ', ';
  const separator = `<span class="wp-block-post-terms__separator">${escapeAttribute(given === '' ? ' ' : given)}</span>`;
  const links = terms.map((term) => linkTo(termLink(term, model), term.name, ' rel="tag"'));
  const wrapper = wrapperAttributes(name, attributes, { classes: [`taxonomy-${taxonomy}`, ...aligned(attributes)] });
  const begun = filterMarkup(`<div ${wrapper}>${part('prefix')}`);
  return `${begun}${links.join(separator)}${filterMarkup(`${part('suffix')}</div>`)}`;
};
