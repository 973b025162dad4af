import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { codec } from '#catalogue/events.ts';
import type { defineEvent } from '#domain/kernel/event.ts';
import { ofAddress, ofItem, ofUser, type SealedEvent, type Subjects } from '#domain/kernel/subject.ts';

const golden = z.object({
  data: z.record(z.string(), z.unknown()),
  sealed: z.record(z.string(), z.unknown(), { error: 'the golden file of the event has no sealed fields' }),
});
const sealing = codec.definitions.filter(({ sealed }) => sealed.length > 0);

/** The subjects of the golden example of an event type; a `text` of null stands for erased fields. */
function subjectsOf(type: string, v: number, actor: number | null, text?: null) {
  const file = new URL(`../golden/${type}.v${v}.json`, import.meta.url);
  const { data, sealed } = golden.parse(JSON.parse(readFileSync(file, 'utf8')));
  const stored = { type, v, data: JSON.stringify(data), sealed: text === null ? null : JSON.stringify(sealed) };
  return codec.subjects({ ...stored, stream: 'entry-12', actor, others: [] });
}

describe('an event type with sealed fields', () => {
  it.each(sealing)('$type declares their subjects, before and after an erasure', ({ type, v }) => {
    for (const actor of [3, 0, null]) {
      const subjects = subjectsOf(type, v, actor);
      expect(subjects).not.toEqual([]);
      // What an answer shows of others is not known afterwards.
      const known = type === 'RequestAnswered' ? subjects.filter((one) => one !== 'anybody') : subjects;
      for (const subject of known) expect(subject).toMatch(/^(entry|media|user)-\d+$|^address-[0-9a-f]{64}$|^site$/);
      const erased = subjectsOf(type, v, actor, null);
      expect(erased).toEqual(type === 'RequestAnswered' ? subjects.with(0, 'anybody') : subjects);
    }
  });

  it('does not compile without subjects, or without a replacement for each erased field', () => {
    type Shape = z.ZodObject<{ user: z.ZodInt; words: z.ZodString }>;
    type Wanted = Parameters<typeof defineEvent<'Signed', Shape, 'words'>>[0];
    type Named = { type: 'Signed'; summary: string; schema: Shape; sealed: readonly ['words'] };
    type Erased = { erased: { words: string } };
    type Owned = { subjects: () => Subjects };
    expectTypeOf<Named & Erased & Owned>().toExtend<Wanted>();
    expectTypeOf<Named & Erased>().not.toExtend<Wanted>();
    expectTypeOf<Named & Owned>().not.toExtend<Wanted>();
    expectTypeOf<Named & Erased & { subjects: () => readonly [] }>().not.toExtend<Wanted>();
    type Peeking = { subjects: (event: SealedEvent<{ user: number; words: string }>) => Subjects };
    expectTypeOf<Named & Erased & Peeking>().not.toExtend<Wanted>();
  });

  it('may name several subjects, including an address by its digest', () => {
    expect([...ofItem(7), ofUser(3), ofAddress('c0ffee')]).toEqual(['entry-7', 'media-7', 'user-3', 'address-c0ffee']);
  });
});
