import { flagAt, numberAt, textAt } from '#blocks/attributes.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import type { Scope } from '#blocks/server-blocks.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { termLink } from '../../addresses/items.ts';
import { idIn, idsIn, longestList } from '../listing.ts';
import { headingOf, linkTo, targetOf, wrapped } from '../pieces.ts';
import { allTermsOf } from '../terms.ts';
import type { Here, Make, Rendering } from '../types.ts';

export const termTemplate: Make = (block, here) => {
  const { attributes, scope } = block;
  const query = scope.get('termQuery');
  const terms = query instanceof Map ? termsOf(query, here.rendering) : [];
  if (terms.length === 0) return '';
  const items = terms.map((term) => {
    const inner: Scope = new Map([...scope, ['termId', { number: String(term.id) }]]);
    const classes = `wp-block-term term-${term.id} ${term.taxonomy} taxonomy-${term.taxonomy}`;
    return `<li class="${classes}">${here.inside(block.block.parts, { scope: inner })}</li>`;
  });
  const columns = numberAt(attributes, 'layout', 'columnCount');
  const isGrid = textAt(attributes, 'layout', 'type') === 'grid' && columns !== undefined;
  return wrapped('ul', block, items.join(''), { classes: isGrid ? [`columns-${columns}`] : [] });
};

export const termName: Make = (block, here) => {
  const term = termIn(block.scope, here);
  if (term === undefined) return '';
  const { attributes } = block;
  const more = attributes.has('linkTarget') ? ` target="${targetOf(attributes)}"` : '';
  const isLink = flagAt(attributes, 'isLink') === true;
  const name = isLink ? linkTo(termLink(term, here.rendering.model), term.name, more) : term.name;
  return wrapped(headingOf(numberAt(attributes, 'level') ?? 0), block, name);
};

const BRACKETS: ReadonlyMap<string | undefined, readonly [string, string]> = new Map([
  ['none', ['', '']],
  ['square', ['[', ']']],
  ['curly', ['{', '}']],
  ['angle', ['&lt;', '&gt;']],
]);

export const termCount: Make = (block, here) => {
  const term = termIn(block.scope, here);
  if (term === undefined) return '';
  const [before, after] = BRACKETS.get(textAt(block.attributes, 'bracketType')) ?? ['(', ')'];
  return wrapped('div', block, `${before}${term.published.toLocaleString('en')}${after}`);
};

export const termDescription: Make = (block, here) => {
  const text = termIn(block.scope, here)?.description ?? '';
  return text === '' ? '' : wrapped('div', block, text);
};

function termIn(scope: Scope, { rendering }: Here): TermRow | undefined {
  const id = idIn(scope.get('termId'));
  return id === undefined ? undefined : rendering.model.term(id);
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function termsOf(query: JsonMap, rendering: Rendering): readonly TermRow[] {
  const taxonomy = textAt(query, 'taxonomy') ?? 'category';
  if (!Object.hasOwn(termKinds, taxonomy) || flagAt(query, 'inherit') === true) return [];
  const terms = allTermsOf(taxonomy as Taxonomy, rendering);
  const shown = flagAt(query, 'hideEmpty') === false ? terms : terms.filter(({ published }) => published > 0);
  const limit = Math.min(Math.max(numberAt(query, 'perPage') ?? 10, 1), longestList);
  const include = idsIn(query.get('include'));
  if (include.length > 0) {
    return include.flatMap((id) => shown.find((term) => term.id === id) ?? []).slice(0, limit);
  }
  const isFlat = flagAt(query, 'showNested') !== true && termKinds[taxonomy as Taxonomy].hierarchical;
  const sign = textAt(query, 'order')?.toLowerCase() === 'desc' ? -1 : 1;
  const isByCount = textAt(query, 'orderBy') === 'count';
  const compare = (a: TermRow, b: TermRow) => (isByCount ? a.published - b.published : byName.compare(a.name, b.name));
  return (isFlat ? shown.filter(({ parent }) => parent === 0) : shown)
    .toSorted((a, b) => sign * compare(a, b) || a.id - b.id)
    .slice(0, limit);
}
