import { sizeName } from '#domain/media/naming.ts';
import { isImageType } from '#domain/media/types.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { shownFile } from '#site/addresses/media.ts';

/** Types that can be edited. */
const editable = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/heic']);

export function isEditable({ type }: MediaRow): boolean {
  return editable.has(type);
}

/** Whether an address is that of an item's image or of one of its sizes, on any host and with any query. */
export function showsImage(row: MediaRow, address: string): boolean {
  if (!isImageType(row.type) || row.image === null || row.name === '') return false;
  const [path = ''] = address.split('?', 1);
  const forms = [path, decoded(path)];
  const names = [row.name, shownFile(row), ...row.sizes.map((size) => sizeName(row.name, size))];
  return names.some((name) => forms.some((form) => form.endsWith(`${row.folder}/${name}`)));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
