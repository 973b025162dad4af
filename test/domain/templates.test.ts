import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { onlyKey } from '#domain/plugins/area.ts';
import { changeStyles, siteStyles } from '#domain/site-styles/area.ts';
import { isSamePlace, type TemplateEvent, templateKey, templates, textsKey } from '#domain/templates/area.ts';
import { autosaveTemplate, deleteTemplate, freeSlug, saveTemplate, trashTemplate } from '#domain/templates/decide.ts';
import { templateHierarchy } from '#domain/templates/hierarchy.ts';

const at = '2026-03-01T11:00:00.000Z';
const place = { type: 'wp_template', theme: 'plain', slug: 'x' } as const;

/** All documents of the area after the given events. */
function folded(events: readonly TemplateEvent[]) {
  const documents = new Map<string, typeof templates.empty>();
  for (const event of events) {
    for (const key of templates.keysOf(event)) {
      documents.set(key, templates.evolve(documents.get(key) ?? templates.empty, event, { key, at }));
    }
  }
  const of = (key: string) => documents.get(key) ?? templates.empty;
  const { last, places } = of(onlyKey);
  const number = places.find((one) => isSamePlace(one, place))?.number;
  return { stored: number === undefined ? null : of(templateKey(number)).template, last, places, of };
}

type Wanted = Parameters<typeof saveTemplate>[1];

function save(events: readonly TemplateEvent[], wanted: Wanted): readonly TemplateEvent[] {
  const { stored, last } = folded(events);
  const made = saveTemplate(place, wanted, { present: stored, stored, last, actor: 1 });
  return isRefusal(made) ? events : [...events, ...made];
}

const text = fc.constantFrom('', 'a', 'b');
const wanted: fc.Arbitrary<Wanted> = fc.record(
  { title: text, content: text, description: text, area: fc.constantFrom('header', 'footer') },
  { requiredKeys: [] },
);

describe('a template', () => {
  it('has the fields of the last saves, and an unchanged save records nothing', () => {
    fc.assert(
      fc.property(fc.array(wanted, { minLength: 1 }), (saves) => {
        let events: readonly TemplateEvent[] = [];
        let expected = { title: '', content: '', description: '', area: 'uncategorized' };
        const history = new Map<number, typeof expected>();
        for (const one of saves) {
          const before = events.length;
          const { title, content, description } = { ...expected, ...one };
          if (title + content + description === '') continue;
          events = save(events, one);
          expected = { ...expected, ...one };
          const event = events[before];
          if (event?.type === 'TemplateSaved') history.set(event.data.revision ?? event.data.number, expected);
          expect(save(events, one)).toHaveLength(events.length);
        }
        const { stored, of } = folded(events);
        if (events.length === 0) return;
        expect(stored).toMatchObject(expected);
        const ids = [stored?.number ?? 0, ...(stored?.saves ?? []).map(({ id }) => id)];
        const texts = Object.assign(
          { title: '', content: '', description: '' },
          ...ids.map((id) => of(textsKey(id)).texts),
        );
        expect({ ...expected, ...texts }).toEqual(expected);
        expect(history.size).toBe(new Set(ids).size);
      }),
    );
  });

  it('leaves only the last number when deleted, so that none is reused', () => {
    const events = save(save([], { title: 'a' }), { title: 'b' });
    const { stored, last } = folded(events);
    if (stored === null) throw new Error('not stored');
    const after = folded([...events, ...deleteTemplate(stored)]);
    expect(after).toMatchObject({ stored: null, last, places: [] });
    expect(after.of(textsKey(2))).toEqual(templates.empty);
    expect(folded(save([...events, ...deleteTemplate(stored)], { title: 'c' })).stored?.number).toBe(last + 1);
  });

  it('gets another slug in the trash, and is restored when saved there', () => {
    const events = save([], { title: 'a' });
    const { stored } = folded(events);
    if (stored === null) throw new Error('not stored');
    const trashed = trashTemplate(stored, (slug) => slug === 'x__trashed');
    if (isRefusal(trashed)) throw new Error(trashed.code);
    const { places, of } = folded([...events, ...trashed]);
    expect(places).toEqual([{ ...place, slug: 'x__trashed-2', number: 1, isTrashed: true }]);
    const there = of(templateKey(1)).template;
    if (there === null) throw new Error('gone');
    expect(trashTemplate(there, () => false)).toMatchObject({ code: 'rest_template_already_trashed' });
    const saved = saveTemplate(there, {}, { present: there, stored: there, last: 1, actor: 1 });
    if (isRefusal(saved)) throw new Error(saved.code);
    expect(folded([...events, ...trashed, ...saved]).places[0]).toMatchObject({
      slug: 'x__trashed-2',
      isTrashed: false,
    });
  });

  it('has one autosave per user, deleted when it equals the template', () => {
    let events = save([], { title: 'a' });
    const keep = (actor: number, title: string) => {
      const { stored, last, of } = folded(events);
      if (stored === null) throw new Error('not stored');
      const own = stored.saves.find(({ isAutosave, author }) => isAutosave && author === actor);
      const texts =
        own === undefined ? null : { title: '', content: '', description: '', ...of(textsKey(own.id)).texts };
      const made = autosaveTemplate({ title }, { stored, texts, last, actor });
      events = [...events, ...made];
      return made.length;
    };
    expect([keep(1, 'b'), keep(1, 'b'), keep(2, 'b'), keep(1, 'c'), keep(1, 'a')]).toEqual([1, 0, 1, 1, 0]);
    expect(folded(events).stored?.saves.map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe('the hierarchy', () => {
  const subjects = { types: ['post', 'page'], taxonomies: ['category', 'post_tag', 'genre'] };
  const of = (slug: string, isCustom = false, prefix = '') => templateHierarchy({ slug, isCustom, prefix }, subjects);

  it('goes from specific to general templates', () => {
    expect(of('front-page')).toEqual(['front-page', 'home', 'index']);
    expect(of('single-post-hello')).toEqual(['single-post-hello', 'single-post', 'single', 'singular', 'index']);
    expect(of('page-about')).toEqual(['page-about', 'page', 'singular', 'index']);
    expect(of('taxonomy-genre-x')).toEqual(['taxonomy-genre-x', 'taxonomy-genre', 'taxonomy', 'archive', 'index']);
    expect(of('category-news')).toEqual(['category-news', 'category', 'archive', 'index']);
    expect(of('anything', true)).toEqual(['page', 'singular', 'index']);
    expect(of('single-note-x', false, 'single-note')).toEqual([
      'single-note-x',
      'single-note',
      'single',
      'singular',
      'index',
    ]);
    expect(of('attachment')).toEqual(['attachment', 'single', 'singular', 'index']);
  });

  it('ends with `index` and contains no duplicates', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), fc.string(), (slug, isCustom, prefix) => {
        const all = of(slug, isCustom, prefix);
        expect(all.at(-1)).toBe('index');
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });
});

describe('names and styles', () => {
  it('are numbered if taken; styles record only changes', () => {
    expect(freeSlug('a', (slug) => slug === 'a' || slug === 'a-2')).toBe('a-3');
    const [first] = changeStyles(siteStyles.empty, { styles: { a: 1 }, title: 'T' }, 3);
    if (first === undefined) throw new Error('nothing changed');
    const after = siteStyles.evolve(siteStyles.empty, first, { key: onlyKey, at });
    expect(after).toMatchObject({ revision: 1, author: 3, title: 'T', styles: { a: 1 } });
    expect(changeStyles(after, { styles: { a: 1 } }, 3)).toEqual([]);
    expect(changeStyles(after, { styles: { a: 1 }, settings: {} }, 3)).toMatchObject([
      { data: { revision: 2, settings: {} } },
    ]);
  });
});
