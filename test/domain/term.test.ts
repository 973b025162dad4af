import { describe, expect, it } from 'vitest';
import { tag } from '#domain/term/kinds.ts';
import { given, made } from './term-support.ts';

describe('creating a term', () => {
  it('is one event with all fields', () => {
    const outcome = given().created({ name: ' Red things ', description: 'All of them' });
    expect(outcome.events().map(({ type }) => type)).toEqual(['TermCreated']);
    expect(outcome.term()).toEqual({
      id: 2,
      taxonomy: 'category',
      name: 'Red things',
      slug: 'red-things',
      description: 'All of them',
      parent: 0,
    });
  });

  it.each([
    ['nothing', {}],
    ['white space', { name: ' \n ' }],
  ])('is refused with %s as name', (_, fields) => given().created(fields).refused('empty_term_name'));

  it('is refused for a name of more than 200 characters', () =>
    given()
      .created({ name: 'x'.repeat(201) })
      .refused('db_insert_error'));

  it('derives the slug from the name when it is empty, unusable or zero', () => {
    for (const slug of ['', '!!!', '0']) expect(given().created({ name: 'Red', slug }).term()?.slug).toBe('red');
  });

  it('uses the id as slug if the name yields none', () =>
    expect(given().created({ name: '!!!' }).term()?.slug).toBe('2'));

  it('is refused for a parent that is not a category', () => {
    const refusal = given(...made({ name: 'hot', kind: tag }))
      .created({ name: 'Red', parent: 2 })
      .refusal();
    expect(refusal).toMatchObject({ code: 'rest_term_invalid', about: 'input' });
    given().created({ name: 'Red', parent: 99 }).refused('rest_term_invalid');
  });

  it('is refused for a tag with a parent, even 0', () =>
    given().created({ name: 'hot', parent: 0 }, tag).refused('rest_taxonomy_not_hierarchical'));
});

describe('an existing term', () => {
  const past = made({ name: 'Red' }, { name: 'Dark', parent: 2 }, { name: 'hot', kind: tag });

  it('is named when a duplicate is refused', () =>
    expect(
      given(...past)
        .created({ name: 'Red' })
        .refusal(),
    ).toMatchObject({
      code: 'term_exists',
      data: { term_id: 2 },
      extra: { additional_data: [2, 2] },
    }));

  it('is a duplicate regardless of the case of ASCII letters', () => {
    given(...past)
      .created({ name: 'RED' })
      .refused('term_exists');
    given(...past)
      .created({ name: 'Hot' }, tag)
      .refused('term_exists');
    expect(
      given(...made({ name: 'Über' }))
        .created({ name: 'über', slug: 'u' })
        .term()?.slug,
    ).toBe('u');
  });

  it('may have a namesake on another level, whose slug contains the parent’s', () => {
    const term = given(...past)
      .created({ name: 'Red', parent: 2 })
      .term();
    expect(term).toMatchObject({ name: 'Red', slug: 'red-red', parent: 2 });
  });

  it('may have a namesake with a slug of its own', () => {
    expect(
      given(...past)
        .created({ name: 'Red', slug: 'rouge' })
        .term()?.slug,
    ).toBe('rouge');
    given(...past)
      .created({ name: 'Red', slug: 'red' })
      .refused('term_exists');
    given(...past)
      .created({ name: 'hot', slug: 'hot' }, tag)
      .refused('term_exists');
  });

  it('may share its name and slug with a term of another taxonomy', () =>
    expect(
      given(...past)
        .created({ name: 'Red' }, tag)
        .term(),
    ).toMatchObject({ name: 'Red', slug: 'red' }));
});

describe('the slug of a term', () => {
  it('is numbered when taken, skipping the slugs of all taxonomies', () => {
    const past = made({ name: 'Red' }, { name: 'Red 2', kind: tag });
    expect(
      given(...past)
        .created({ name: 'Crimson', slug: 'red' })
        .term()?.slug,
    ).toBe('red-3');
  });

  it('is extended by the slugs of as many ancestors as needed', () => {
    const past = made({ name: 'A' }, { name: 'B', parent: 2 }, { name: 'x' }, { name: 'x', parent: 3, slug: 'x-b' });
    expect(
      given(...past)
        .created({ name: 'X', parent: 3, slug: 'x' })
        .term()?.slug,
    ).toBe('x-b-a');
  });

  it('has at most 200 characters, including the number', () => {
    const long = 'y'.repeat(200);
    const term = given(...made({ name: 'One', slug: long }))
      .created({ name: 'Two', slug: long })
      .term();
    expect(term?.slug).toBe(`${'y'.repeat(198)}-2`);
  });
});

describe('changing a term', () => {
  const past = made({ name: 'Red' }, { name: 'Blue' }, { name: 'Dark', parent: 2 });

  it('records the changed term and keeps its slug', () => {
    const outcome = given(...past).changed(2, { name: 'Scarlet' });
    expect(outcome.events().map(({ type }) => type)).toEqual(['TermChanged']);
    expect(outcome.term()).toMatchObject({ name: 'Scarlet', slug: 'red' });
  });

  it('appends nothing when nothing changes', () =>
    expect(
      given(...past)
        .changed(2, { name: 'Red', slug: 'red', parent: 0 })
        .events(),
    ).toEqual([]));

  it('is refused without a name', () =>
    given(...past)
      .changed(2, { name: '' })
      .refused('empty_term_name'));

  it('is refused for the slug of another term', () =>
    given(...past)
      .changed(2, { slug: 'blue' })
      .refused('duplicate_term_slug'));

  it('derives the slug again when it is emptied, numbered if necessary', () => {
    expect(
      given(...past)
        .changed(3, { name: 'Navy', slug: '' })
        .term()?.slug,
    ).toBe('navy');
    expect(
      given(...past)
        .changed(3, { name: 'Red', slug: '' })
        .term()?.slug,
    ).toBe('red-2');
  });

  it('makes a taken slug unique when the term moves', () =>
    expect(
      given(...past)
        .changed(3, { slug: 'red', parent: 2 })
        .term()?.slug,
    ).toBe('red-red'));

  it('moves a term to the top level when it would become its own descendant', () => {
    expect(
      given(...past)
        .changed(2, { parent: 2 })
        .term()?.parent,
    ).toBe(0);
    expect(
      given(...past)
        .changed(2, { parent: 4 })
        .term()?.parent,
    ).toBe(0);
  });

  it('accepts the name of another term', () =>
    expect(
      given(...past)
        .changed(2, { name: 'Blue' })
        .term(),
    ).toMatchObject({ name: 'Blue', slug: 'red' }));
});

describe('deleting a term', () => {
  const past = made({ name: 'Red' }, { name: 'Dark', parent: 2 }, { name: 'hot', kind: tag });

  it('passes posts to the default category and children to the parent', () =>
    expect(
      given(...past)
        .deleted(3)
        .events(),
    ).toEqual([{ type: 'TermDeleted', data: { id: 3, taxonomy: 'category', parent: 2, heir: 1 } }]));

  it('names no heir for a tag', () =>
    expect(
      given(...past)
        .deleted(4)
        .events()[0]?.data,
    ).toMatchObject({ taxonomy: 'post_tag', heir: 0 }));

  it('is refused for the default category', () =>
    given(...past)
      .deleted(1)
      .refused('rest_cannot_delete'));
});
