import { kindOf } from '#domain/entry/kinds.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { MakeView } from '#projections/views/views.ts';
import { permalink } from '#site/addresses/entries.ts';
import { publicRendering } from '#site/post-lists/in-contents.ts';
import { DYNAMIC } from '#text/dynamic.ts';
import { entryRecord } from './fields.ts';

/**
 * Makes the public record of an entry in context view. Null for entries with a parent, whose address depends on it; for protected
 * ones, which a password opens; for texts that depend on other data; and for kinds that not everyone may read.
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
