import { AuditNames } from '#projections/audit/names.ts';
import type { AuditStore } from './store.ts';

/** Names of items: the read model has those of what exists. */
export function namesInTexts({ log, reader }: AuditStore): AuditNames {
  return new AuditNames(log, (stream) => {
    const [, area, number] = /^(entry|media|term)-(\d{1,15})$/.exec(stream) ?? [];
    const id = Number(number);
    if (area === 'entry') return reader.entry(id);
    if (area === 'media') return reader.media(id);
    const term = area === 'term' ? reader.term(id) : undefined;
    return term && { title: term.name, taxonomy: term.taxonomy };
  });
}
