import type { RevisionRecord, SourcePart, SourceRecord } from '#wxr/records.ts';

/** A record that is no revision, with the revisions of it that follow. */
export interface Gathered {
  readonly record: SourceRecord;
  readonly revisions: readonly RevisionRecord[];
}

/** Gathers each item with its revisions, which may come behind its comments; other revisions come alone. */
export async function* withRevisions(parts: AsyncIterable<SourcePart>): AsyncGenerator<Gathered> {
  const waiting: { record: SourceRecord; revisions: RevisionRecord[] }[] = [];
  for await (const part of parts) {
    if ('notice' in part) continue;
    const { record } = part;
    const [first] = waiting;
    const item = first?.record.kind === 'item' ? first : undefined;
    const isOf = 'of' in record && record.of === (item?.record as { readonly id?: number } | undefined)?.id;
    if (item !== undefined && isOf && record.kind === 'revision') item.revisions.push(record);
    else {
      if (!isOf) yield* waiting.splice(0);
      waiting.push({ record, revisions: [] });
    }
  }
  yield* waiting;
}
