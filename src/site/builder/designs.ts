import { page } from '#domain/entry/kinds.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { pictureOf, titleOf } from '../rendering/fragments.ts';
import { bundledDesigns } from './bundled.ts';
import type { Design, FullDesign } from './design.ts';

const maxPages = 500;

/** All designs of the library: the built-in ones, or the public pages of the site. */
export function designsOf(model: Model, fromPages: boolean): readonly Design[] {
  if (!fromPages) return bundledDesigns;
  const order = { orderBy: 'date', order: 'desc', offset: 0, limit: maxPages } as const;
  const { ids } = model.present().find({ kind: page.name, statuses: [{ status: 'publish' }], ...order });
  return ids.flatMap((id) => designOfPage(model.entry(id), model) ?? []);
}

/** The design with an id; null if there is none. */
export function designNamed(designId: string, model: Model, fromPages: boolean): FullDesign | null {
  if (!fromPages) return bundledDesigns.find((design) => design.designId === designId) ?? null;
  const [, id = ''] = /^page-(\d{1,15})$/.exec(designId) ?? [];
  const row = id === '' ? undefined : model.entry(Number(id));
  const design = row?.kind === page.name && row.status === 'publish' ? designOfPage(row, model) : null;
  return design === null ? null : { ...design, content: model.texts(Number(id))?.content ?? '' };
}

function designOfPage(row: EntryRow | undefined, model: Model): Design | null {
  if (row === undefined || row.password !== '') return null;
  const parent = row.parent === 0 ? undefined : model.entry(row.parent);
  const isPublic = parent !== undefined && parent.status === 'publish';
  return {
    designId: `page-${row.id}`,
    label: titleOf(row) || 'Untitled',
    description: '',
    category: (isPublic ? titleOf(parent) : '') || 'Pages',
    image: pictureOf(row.featuredMedia, 'medium', { model, viewer: anonymous })?.url ?? '',
  };
}
