import { describe, expect, it } from 'vitest';
import {
  type MenuItemFacts,
  type MenuItemFields,
  newMenuItem,
  planMenuItem,
  type ShownMenuItem,
} from '#domain/entry/menu-items.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { menu } from '#domain/term/kinds.ts';
import { displaceMenu, menuSettingsOf } from '#domain/term/menus.ts';
import type { Term } from '#domain/term/state.ts';
import { given, made } from './term-support.ts';

const header = made({ name: 'Header', kind: menu });
const id = 2;

describe('a menu', () => {
  it('derives its slug from its name, ignoring a requested one', () => {
    expect(given().created({ name: 'My menu', slug: 'other' }, menu).term()).toMatchObject({ slug: 'my-menu' });
    const renamed = given(...header).changed(id, { name: 'Footer', slug: 'header' });
    expect(renamed.term()).toMatchObject({ name: 'Footer', slug: 'footer' });
    expect(
      given(...header)
        .changed(id, { slug: 'other' })
        .events(),
    ).toEqual([]);
  });

  it('has a unique name, ignoring case; equal slugs are numbered', () => {
    const twin = given(...header).created({ name: 'HEADER' }, menu);
    twin.refused('menu_exists');
    expect(twin.refusal()).toMatchObject({ data: { term_id: id }, extra: { additional_data: [id] } });
    expect(
      given(...header)
        .created({ name: 'Header!' }, menu)
        .term(),
    ).toMatchObject({ slug: 'header-2' });
    const two = made({ name: 'Header', kind: menu }, { name: 'Footer', kind: menu });
    given(...two)
      .changed(3, { name: 'Header' })
      .refused('menu_exists');
    expect(
      given(...two)
        .changed(3, { name: 'Header.' })
        .term(),
    ).toMatchObject({ slug: 'header-2' });
  });

  it('needs a name, and has no parent', () => {
    given().created({ name: ' ' }, menu).refused('empty_term_name');
    given(...header)
      .changed(id, { name: '' })
      .refused('empty_term_name');
    given(...header)
      .changed(id, { parent: 1 })
      .refused('rest_taxonomy_not_hierarchical');
  });

  it('stores its locations and whether pages are added, recording only changes', () => {
    const placed = given(...header).changed(id, { locations: ['b', 'a', 'b'], autoAdd: true });
    expect(placed.events()).toEqual([
      { type: 'MenuChanged', data: { id, taxonomy: 'nav_menu', locations: ['a', 'b'], autoAdd: true } },
    ]);
    const again = given(...header, ...placed.events());
    expect(again.changed(id, { locations: ['b', 'a'], autoAdd: true }).events()).toEqual([]);
    expect(menuSettingsOf(again.changed(id, { locations: [] }).term() as Term)).toEqual({
      locations: [],
      autoAdd: true,
    });
  });

  it('gives up the locations that another menu takes', () => {
    const placed = given(...header)
      .changed(id, { locations: ['a', 'b'] })
      .term() as Term;
    expect(displaceMenu(placed, ['b', 'c'])).toMatchObject([{ data: { locations: ['a'] } }]);
    expect(displaceMenu(placed, ['c'])).toEqual([]);
  });
});

const facts: MenuItemFacts = {
  target: (type, target) => {
    if (type === 'post_type' && target === 7) return { object: 'page', title: 'Seven' };
    return type === 'taxonomy' && target === 3 ? { object: 'post_tag', title: 'Three' } : null;
  },
  archive: (type) => (type === 'post' ? 'Post archives' : null),
  menuExists: (menuId) => menuId === 5,
};
const plan = (fields: MenuItemFields, shown: ShownMenuItem = newMenuItem) => {
  const planned = planMenuItem(shown, fields, facts);
  return isRefusal(planned) ? planned.code : planned;
};
const custom = { title: 'Home', url: ' https://a.example/ ' };

describe('an item of a menu', () => {
  it('links to a custom address or to an existing object', () => {
    expect(plan(custom)).toMatchObject({
      title: 'Home',
      part: { type: 'custom', object: 'custom', objectId: 0, url: 'https://a.example/' },
    });
    expect(plan({ type: 'post_type', objectId: 7, url: 'https://ignored.example' })).toMatchObject({
      part: { type: 'post_type', object: 'page', objectId: 7, url: '' },
    });
    expect(plan({ type: 'taxonomy', objectId: 3 })).toMatchObject({ part: { object: 'post_tag' } });
    expect(plan({ type: 'post_type', objectId: 8 })).toBe('rest_post_invalid_id');
    expect(plan({ type: 'taxonomy', objectId: 8 })).toBe('rest_term_invalid_id');
    expect(plan({ type: 'post_type_archive', object: 'page' })).toBe('rest_post_invalid_type');
    expect(plan({ type: 'post_type', object: 'page', objectId: 8 })).toMatchObject({ part: { objectId: 8 } });
  });

  it('with a custom link needs a title and an address; the refusal names both if both are missing', () => {
    expect(plan({ url: '/a' })).toBe('rest_title_required');
    expect(plan({ title: 'A' })).toBe('rest_url_required');
    expect(planMenuItem(newMenuItem, {}, facts)).toMatchObject({
      code: 'rest_title_required',
      extra: { additional_errors: [{ code: 'rest_url_required', data: { status: 400 } }] },
    });
  });

  it('has no title of its own if it equals that of its target', () => {
    expect(plan({ type: 'post_type', objectId: 7, title: 'Seven' })).toMatchObject({ title: '' });
    expect(plan({ type: 'post_type_archive', object: 'post', title: 'Post archives' })).toMatchObject({ title: '' });
    expect(plan({ type: 'post_type', objectId: 7, title: 'Eight' })).toMatchObject({ title: 'Eight' });
    expect(plan({ type: 'post_type', objectId: 7 })).not.toHaveProperty('title');
  });

  it('keeps its shown title and address when it becomes a custom link', () => {
    const shown = {
      ...newMenuItem,
      type: 'post_type',
      object: 'page',
      objectId: 7,
      title: 'Seven',
      url: '/seven/',
    } as const;
    expect(plan({ type: 'custom' }, shown)).toMatchObject({
      title: 'Seven',
      part: { object: 'custom', url: '/seven/' },
    });
    expect(plan({ type: 'taxonomy', objectId: 3 }, shown)).toMatchObject({ part: { object: 'post_tag' } });
    expect(plan({ menuOrder: 4 }, shown)).toMatchObject({
      menuOrder: 4,
      part: { object: 'page', objectId: 7, url: '' },
    });
  });

  it('can only be added to an existing menu', () => {
    expect(plan({ ...custom, menu: 5 })).toMatchObject({ otherTerms: { nav_menu: [5] } });
    expect(plan({ ...custom, menu: 6 })).toBe('invalid_menu_id');
    expect(plan({ ...custom, menu: 0 })).not.toHaveProperty('otherTerms');
  });
});
