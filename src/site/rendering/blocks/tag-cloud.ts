import { flagAt, numberAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { termLink } from '../../addresses/items.ts';
import { wrapped } from '../pieces.ts';
import { allTermsOf } from '../terms.ts';
import type { Make } from '../types.ts';

export const tagCloud: Make = (block, { rendering }) => {
  const { attributes } = block;
  const taxonomy = textAt(attributes, 'taxonomy') ?? 'post_tag';
  const links = Object.hasOwn(termKinds, taxonomy) ? linksOf(taxonomy as Taxonomy, attributes, rendering) : [];
  return wrapped('p', block, links.length === 0 ? 'There&#8217;s no content to show here yet.' : links.join('\n'));
};

function linksOf(
  taxonomy: Taxonomy,
  attributes: JsonMap,
  rendering: Parameters<typeof allTermsOf>[1],
): readonly string[] {
  const max = Math.min(Math.max(numberAt(attributes, 'numberOfTags') ?? 45, 1), 100);
  const top = allTermsOf(taxonomy, rendering)
    .filter(({ published }) => published > 0)
    .toSorted((a, b) => b.published - a.published || a.id - b.id)
    .slice(0, max);
  const size = sizing(top, attributes);
  return top
    .toSorted((a, b) => byName.compare(a.name, b.name) || a.id - b.id)
    .map((term, i) => linkOf(term, { position: i + 1, size: size(term), attributes, model: rendering.model }));
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

interface Shown {
  readonly position: number;
  readonly size: string;
  readonly attributes: JsonMap;
  readonly model: Model;
}

function linkOf(term: TermRow, { position, size, attributes, model }: Shown): string {
  const { id, name, published } = term;
  const count = published.toLocaleString('en');
  const label = `${name} (${count} item${published === 1 ? '' : 's'})`;
  const shown = flagAt(attributes, 'showTagCounts') === true ? `<span class="tag-link-count"> (${count})</span>` : '';
  const classes = `tag-cloud-link tag-link-${id} tag-link-position-${position}`;
  return `<a href="${escapeAddress(termLink(term, model))}" class="${classes}" style="font-size: ${size};" aria-label="${escapeAttribute(label)}">${name}${shown}</a>`;
}

function sizing(terms: readonly TermRow[], attributes: JsonMap): (term: TermRow) => string {
  const [small, large] = [
    textAt(attributes, 'smallestFontSize') ?? '8pt',
    textAt(attributes, 'largestFontSize') ?? '22pt',
  ];
  const unit = /^[0-9.]+([a-z%]+)$/i.exec(small)?.[1] ?? 'pt';
  const [min, max] = [Number.parseFloat(small) || 8, Number.parseFloat(large) || 22];
  const scales = terms.map(({ published }) => scaleOf(published));
  const [lowest, highest] = [Math.min(...scales), Math.max(...scales)];
  const step = (max - min) / Math.max(highest - lowest, 1);
  return ({ published }) => `${trimmed(min + (scaleOf(published) - lowest) * step)}${unit}`;
}

function scaleOf(count: number): number {
  return Math.round(Math.log10(count + 1) * 100);
}

/** Rounds to as many digits as the reference system writes. */
function trimmed(size: number): string {
  return String(Number(size.toPrecision(14)));
}
