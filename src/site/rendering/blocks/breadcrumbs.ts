import { flagAt, textAt } from '#blocks/attributes.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { lineage } from '#projections/kernel/lineage.ts';
import type { Model } from '#projections/reading/model.ts';
import { postsPage } from '../../addresses/front.ts';
import { permalink, termLink } from '../../addresses/items.ts';
import { termsByName } from '../../entries/classes.ts';
import { canReadEntry } from '../../rights.ts';
import { linkTo, wrapped } from '../pieces.ts';
import { shownTitle } from '../posts.ts';
import type { Make, Rendering } from '../types.ts';

/** The path from the front page to the post: through the page of posts and its category, or through the pages above it. */
export const breadcrumbsBlock: Make = (block, { post: { row }, rendering }) => {
  if (row === undefined) return '';
  const { attributes } = block;
  const home = flagAt(attributes, 'showHomeItem') === false ? [] : [linkTo(`${rendering.model.site().url}/`, 'Home')];
  const between = row.categories.length > 0 ? byCategory(row, rendering.model) : byPages(row, rendering);
  const last =
    flagAt(attributes, 'showCurrentItem') === false
      ? []
      : [`<span aria-current="page">${shownTitle(row) || '(no title)'}</span>`];
  const items = [...home, ...ofList(row, rendering.model), ...between, ...last].map((item) => `<li>${item}</li>`);
  const separator = (textAt(attributes, 'separator') ?? '/').replace(/["\\]/g, '\\$&');
  const own = { style: `--separator: "${separator}"`, more: { 'aria-label': 'Breadcrumbs' } };
  return wrapped('nav', block, `<ol>${items.join('')}</ol>`, own);
};

/** The page that shows the list of posts, for a post. */
function ofList({ kind }: EntryRow, model: Model): readonly string[] {
  const list = kind === 'post' ? postsPage(model) : undefined;
  return list === undefined ? [] : [linkTo(permalink(list, model), shownTitle(list) || '(no title)')];
}

function byCategory({ categories }: EntryRow, model: Model): readonly string[] {
  const [first] = termsByName(categories, model);
  if (first === undefined) return [];
  return lineage(first.id, (id) => model.term(id)?.parent ?? 0)
    .flatMap((id) => model.term(id) ?? [])
    .map((term) => linkTo(termLink(term, model), term.name))
    .reverse();
}

function byPages({ id }: EntryRow, { model, viewer }: Rendering): readonly string[] {
  return model
    .lineage(id)
    .slice(1)
    .flatMap((parent) => model.entry(parent) ?? [])
    .filter((row) => row.status === 'publish' || (row.status === 'private' && canReadEntry(viewer, row)))
    .map((row) => linkTo(permalink(row, model), shownTitle(row) || '(no title)'))
    .reverse();
}
