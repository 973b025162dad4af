import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codec } from '#catalogue/events.ts';

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

describe('the golden files', () => {
  it('exist for exactly the versions of all event types', () => {
    const there = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(there.sort()).toEqual(versions.map(({ file }) => file).sort());
  });

  it.each(versions)('$file is decoded as the current event', ({ definition: { type, schema }, v, file }) => {
    const { data, sealed, event } = read(file);
    expect(codec.decode({ type, v, data, sealed }), `test/golden/${file}`).toEqual(event);
    expect(schema.strict().parse(event.data)).toEqual(event.data);
  });

  it.each(versions.filter(({ definition, v }) => v === definition.v))(
    '$file is exactly what is written today',
    ({ definition: { type, v }, file }) => {
      const { data, sealed, event } = read(file);
      const seed: string = JSON.parse(sealed ?? '{}').$seed ?? 'none';
      expect(
        codec.encode(event, () => seed),
        `test/golden/${file}`,
      ).toEqual({ type, v, data, sealed });
    },
  );

  it.each(versions)(
    '$file declares each file whose hash and length it contains',
    ({ definition: { type, v: newest }, v, file }) => {
      if (v < newest) return;
      const { event } = read(file);
      expect([type, codec.files(event, 'media-7')?.files ?? []]).toEqual([type, filesIn(event.data)]);
    },
  );

  it.each(versions)('$file is still a valid event without its sealed fields', ({ definition, v, file }) => {
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
