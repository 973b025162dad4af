import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codec } from '#domain/events.ts';

const folder = new URL('./golden/', import.meta.url);
const record = z.record(z.string(), z.unknown());
const shape = z.strictObject({
  data: record,
  sealed: record.nullable(),
  event: z.strictObject({ type: z.string(), data: record }),
});

const versions = codec.definitions.flatMap((definition) =>
  Array.from({ length: definition.v }, (_, i) => ({ definition, v: i + 1, file: `${definition.type}.v${i + 1}.json` })),
);

function read(file: string) {
  const { data, sealed, event } = shape.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return { data: JSON.stringify(data), sealed: sealed === null ? null : JSON.stringify(sealed), event };
}

describe('the frozen examples', () => {
  it('are one for every version of every event type, and no other', () => {
    const there = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(there.sort()).toEqual(versions.map(({ file }) => file).sort());
  });

  it.each(versions)('$file reads as the event of today', ({ definition: { type, schema }, v, file }) => {
    const { data, sealed, event } = read(file);
    expect(codec.decode({ type, v, data, sealed })).toEqual(event);
    expect(schema.strict().parse(event.data)).toEqual(event.data);
  });

  it.each(versions.filter(({ definition, v }) => v === definition.v))(
    '$file is what is written today, to the letter',
    ({ definition: { type, v }, file }) => {
      const { data, sealed, event } = read(file);
      expect(codec.encode(event)).toEqual({ type, v, data, sealed });
    },
  );

  it.each(versions)(
    '$file names each file of which it has the hash and the length',
    ({ definition: { type, v: newest }, v, file }) => {
      if (v < newest) return;
      const { event } = read(file);
      expect([type, codec.files(event, 'media-7')?.files ?? []]).toEqual([type, filesIn(event.data)]);
    },
  );

  it.each(versions)('$file can lose its sealed fields and is still an event', ({ definition, v, file }) => {
    const { type, schema, sealed: fields, erased } = definition;
    const { data, event } = read(file);
    const left = codec.decode({ type, v, data, sealed: null }).data as Record<string, unknown>;
    expect(left).toEqual({ ...event.data, ...erased });
    expect(Object.keys(erased).sort()).toEqual([...fields].sort());
    expect(schema.strict().safeParse(left).success).toBe(true);
  });
});

function filesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { hash, bytes } = value as Record<string, unknown>;
  const own = typeof hash === 'string' && typeof bytes === 'number' ? [{ hash, bytes }] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}
