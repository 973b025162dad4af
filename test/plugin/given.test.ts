import { describe, expect, it } from 'vitest';
import { refuse } from '#domain/kernel/refusal.ts';
import { book, sign } from '../../examples/guestbook/book.ts';
import { given } from '../../src/plugin-test.ts';

const signed = { type: 'guestbook.Signed', data: { user: 3, words: 'Hello' } } as const;

describe('given some events of an area', () => {
  it('a decision returns events, none or a refusal', () => {
    const before = given(book, [signed]);
    expect(before.when((book) => sign(book, signed.data))).toEqual([]);
    expect(before.when((book) => sign(book, { user: 4, words: 'Hello' }))).toHaveLength(1);
    expect(before.when(() => refuse('full', 'The book is full.'))).toMatchObject({ code: 'full' });
  });

  it('each key has a document', () => {
    const visits: typeof book = { ...book, keysOf: ({ data }) => [String(data.user)] };
    const { documents, document } = given(visits, [signed, { ...signed, data: { user: 4, words: 'Hi' } }]);
    expect([...documents.keys()]).toEqual(['3', '4']);
    expect([document('4').entries.length, document('5')]).toEqual([1, book.empty]);
  });

  it('events that cannot be stored are faults, also those of a decision', () => {
    const wrong = { type: 'guestbook.Signed', data: { user: 0, words: 'Hello' } } as const;
    expect(() => given(book, [wrong])).toThrow('Too small');
    expect(() => given(book).when(() => [wrong])).toThrow('Too small');
    expect(() => given(book, [{ ...signed, type: 'guestbook.Opened' } as never])).toThrow('no event guestbook.Opened');
  });

  it('an evolve or a decision that changes what it is given is a fault', () => {
    const impure: typeof book = {
      ...book,
      evolve: (document, { data }) => {
        (document.entries as unknown[]).push(data);
        return document;
      },
    };
    expect(() => given(impure, [signed])).toThrow(TypeError);
    expect(() => given(book).when((book) => [(book.entries as never[]).push()] as never)).toThrow(TypeError);
  });
});
