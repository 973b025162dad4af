import { describe, expect, it } from 'vitest';
import { blockTypes } from '../src/block-types/all.ts';
import { serverBlocks } from '../src/server-blocks.ts';

describe('types of blocks', () => {
  it('include every block that the server renders', () => {
    const missing = [...serverBlocks].filter((name) => blockTypes.get(name)?.markup !== 'made');
    expect(missing).toEqual([]);
  });

  it('refer only to existing types', () => {
    const named = [...blockTypes.values()].flatMap(({ parent, ancestor, allowed }) => [
      ...[parent, ancestor, allowed].flatMap((names) => names ?? []),
    ]);
    expect(named.filter((name) => !blockTypes.has(name))).toEqual([]);
  });

  it('provide only attributes that they have', () => {
    const told = [...blockTypes.values()].flatMap(({ name, attributes, provides }) =>
      Object.values(provides).flatMap((attribute) => (attribute in attributes ? [] : [`${name} ${attribute}`])),
    );
    expect(told.filter((one) => !/ (fontSize|customFontSize|style|displayLayout)$/.test(one))).toEqual([]);
  });

  it('have defaults that match the attribute’s type, with one known exception', () => {
    const odd = [...blockTypes.values()].flatMap(({ name, attributes }) =>
      Object.entries(attributes).flatMap(([attribute, { type, default: value }]) => {
        const kind = Array.isArray(value) ? 'array' : type === 'integer' ? 'integer' : typeof value;
        return value === undefined || value === null || kind === type ? [] : [`${name} ${attribute}`];
      }),
    );
    expect(odd).toEqual(['core/accordion-panel templateLock']);
  });
});
