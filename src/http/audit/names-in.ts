import { Names } from '#projections/audit/names.ts';
import type { AuditStore } from './store.ts';

/** Names of items: what exists has its title in the read model. */
export function namesIn({ log, reader }: AuditStore): Names {
  return new Names(log, (stream) => {
    const [, area, number] = /^(entry|media|term)-(\d{1,15})$/.exec(stream) ?? [];
    const id = Number(number);
    if (area === 'entry') return reader.entry(id)?.title;
    if (area === 'media') return reader.media(id)?.title;
    return area === 'term' ? reader.term(id)?.name : undefined;
  });
}
