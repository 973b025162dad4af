import { flagAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { filterMarkup } from '#blocks/filter.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { termLink } from '../../addresses/items.ts';
import { choosing, wrapped } from '../pieces.ts';
import { allTermsOf, type Tree, treeOf } from '../terms.ts';
import type { Make } from '../types.ts';

export const categories: Make = (block, { rendering }) => {
  const { attributes } = block;
  const number = rendering.counters.next();
  const taxonomy = textAt(attributes, 'taxonomy') ?? 'category';
  if (!Object.hasOwn(termKinds, taxonomy)) return '';
  const kind = termKinds[taxonomy as Taxonomy];
  const tree = treeOf(allTermsOf(kind.name, rendering), {
    isNested: flagAt(attributes, 'showHierarchy') === true && kind.hierarchical,
    withEmpty: flagAt(attributes, 'showEmpty') === true,
    onlyTop: flagAt(attributes, 'showOnlyTopLevel') === true,
    sums: flagAt(attributes, 'showPostCounts') === true,
  });
  const shown = { attributes, model: rendering.model, kind };
  const isBox = flagAt(attributes, 'displayAsDropdown') === true;
  const inside = isBox ? boxOf(tree, `wp-block-categories-${number}`, shown) : listOf(tree, shown);
  const classes = [`wp-block-categories-${isBox ? 'dropdown' : 'list'}`, `wp-block-categories-taxonomy-${taxonomy}`];
  return wrapped(isBox ? 'div' : 'ul', block, inside, { classes });
};

interface Shown {
  readonly attributes: JsonMap;
  readonly model: Model;
  readonly kind: TermKind;
}

function listOf(tree: readonly Tree[], shown: Shown): string {
  return tree.length === 0 ? `<li class="cat-item-none">${noneOf(shown.kind)}</li>` : itemsOf(tree, 0, shown);
}

function itemsOf(tree: readonly Tree[], depth: number, shown: Shown): string {
  return tree
    .map(({ term, count, below }) => {
      const tabs = '\t'.repeat(depth);
      const counted = flagAt(shown.attributes, 'showPostCounts') === true ? ` (${count.toLocaleString('en')})` : '';
      const link = `<a href="${escapeAddress(termLink(term, shown.model))}">${term.name}</a>${counted}\n`;
      const list =
        below.length === 0 ? '' : `${tabs}<ul class='children'>\n${itemsOf(below, depth + 1, shown)}${tabs}</ul>\n`;
      return `\t<li class="cat-item cat-item-${term.id}">${link}${list}</li>\n`;
    })
    .join('');
}

function boxOf(tree: readonly Tree[], id: string, shown: Shown): string {
  const { attributes, kind } = shown;
  const label = filterMarkup(textAt(attributes, 'label') ?? '') || kind.type.name;
  const hidden = flagAt(attributes, 'showLabel') === false ? ' screen-reader-text' : '';
  const head = `<label class="wp-block-categories__label${hidden}" for="${id}">${label}</label>`;
  const name = kind.name === 'category' ? 'category_name' : 'tag';
  const none = `\t<option value='-1'>Select ${kind.type.singular}</option>\n`;
  const select = `<select  name='${name}' id='${id}' class='postform'>\n${none}${optionsOf(tree, 0, shown)}</select>\n`;
  return choosing(head + select, shown.model.site().url);
}

function optionsOf(tree: readonly Tree[], depth: number, shown: Shown): string {
  return tree
    .map(({ term, count, below }) => {
      const counted =
        flagAt(shown.attributes, 'showPostCounts') === true ? `&nbsp;&nbsp;(${count.toLocaleString('en')})` : '';
      const option = `\t<option class="level-${depth}" value="${escapeAttribute(term.slug)}">${'&nbsp;'.repeat(depth * 3)}${term.name}${counted}</option>\n`;
      return option + optionsOf(below, depth + 1, shown);
    })
    .join('');
}

function noneOf({ type }: TermKind): string {
  return `No ${type.name.toLowerCase()}`;
}
