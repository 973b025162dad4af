import { createHash } from 'node:crypto';
import type { ItemRecord, ReadHow, SiteSource, SourcePart } from './records.ts';

/** A source whose items without an id have one that is made up: below zero, and the same in each reading. */
export function withMadeIds(source: SiteSource): SiteSource {
  return {
    ...source,
    get total() {
      return source.total;
    },
    read: (how) => identified(source, how),
  };
}

async function* identified(source: SiteSource, how: ReadHow | undefined): AsyncGenerator<SourcePart> {
  let last = 0;
  for await (const part of source.read(how)) {
    if ('notice' in part) yield part;
    else if (part.record.kind === 'item') {
      last = part.record.id === 0 ? madeId(part.record) : part.record.id;
      yield { ...part, record: { ...part.record, id: last } };
    } else if ((part.record.kind === 'comment' || part.record.kind === 'revision') && part.record.of === 0) {
      yield { ...part, record: { ...part.record, of: last } };
    } else yield part;
  }
}

function madeId({ type, link, guid, slug, title, date }: ItemRecord): number {
  const text = JSON.stringify([type, link || guid || [slug, title, date]]);
  return -1 - createHash('sha256').update(text).digest().readUIntBE(0, 6);
}
