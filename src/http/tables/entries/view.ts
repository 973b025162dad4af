import { kindOf } from '#domain/entry/kinds.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { MakeView } from '#projections/views/views.ts';
import { DYNAMIC } from '#text/dynamic.ts';
import { publicRendering } from '../../rendering/rendering-of.ts';
import { entryRecord } from './fields.ts';
import { permalink } from './links.ts';

/**
 * Makes what everybody is sent of an entry: its record in context view. Of entries below others there is none,
 * because their address would change with those; of protected ones neither, because a password opens them, nor of those
 * whose texts depend on more than themselves, or that not everybody may read.
 */
export function viewMaker(model: Model): MakeView {
  return (row) => {
    if (row.status !== 'publish' || row.password !== '' || row.parent !== 0) return null;
    if (kindOf(row.kind).rights.read !== null) return null;
    if (row.contentJson === DYNAMIC || row.excerptJson === DYNAMIC) return null;
    const rendering = publicRendering(model);
    const record = entryRecord(row, { context: 'view', viewer: anonymous, model, rendering });
    return { text: record.text(), link: permalink(row, model) };
  };
}
