import { numberAt, textAt } from '#text/attributes.ts';
import { escapeAttribute } from '#text/references.ts';
import type { Scope } from '#text/server-blocks.ts';
import { classList } from '../../entries/classes.ts';
import { linkColoured, wrapped } from '../pieces.ts';
import { otherPost } from '../posts.ts';
import { queryResultOf } from '../query.ts';
import type { Make } from '../types.ts';

export const postTemplate: Make = (block, here) => {
  const { attributes, scope } = block;
  const { model } = here.rendering;
  const { ids, isEnhanced } = queryResultOf(scope, here.rendering);
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  if (rows.length === 0) return '';
  const items = rows.map((row) => {
    const key = isEnhanced ? ` data-wp-key="post-template-item-${row.id}"` : '';
    const classes = ['wp-block-post', ...classList(row, model)].join(' ');
    return `<li${key} class="${escapeAttribute(classes)}">${here.inside(block.block.parts, { post: otherPost(row, model) })}</li>`;
  });
  const columns = numberAt(attributes, 'layout', 'columnCount');
  const isGrid = textAt(attributes, 'layout', 'type') === 'grid' && columns !== undefined && columns !== 0;
  const classes = [...flexClasses(scope), ...linkColoured(attributes), ...(isGrid ? [`columns-${columns}`] : [])];
  return wrapped('ul', block, items.join(''), { classes });
};

/** Queries of older texts name their columns themselves. */
function flexClasses(scope: Scope): readonly string[] {
  const layout = scope.get('displayLayout');
  if (!scope.has('query') || !(layout instanceof Map) || textAt(layout, 'type') !== 'flex') return [];
  return ['is-flex-container', `columns-${numberAt(layout, 'columns') ?? ''}`];
}
