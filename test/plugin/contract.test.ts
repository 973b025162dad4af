import { describe, expect, it } from 'vitest';
import { codec, followStream } from '#catalogue/events.ts';
import { createCodec } from '#domain/kernel/codec.ts';
import { plugin } from '../../examples/guestbook/plugin.ts';
import { pluginShape } from '../../src/plugin/contract.ts';
import { bundledPlugins } from '../../src/plugin/loaded.ts';
import { defineArea, defineEvent } from '../../src/plugin.ts';

const faults = (changed: object) =>
  pluginShape([])
    .safeParse({ ...plugin, ...changed })
    .error?.issues.map(({ message }) => message) ?? [];
const [area] = plugin.areas;
const [namespace] = plugin.namespaces;
const [route] = namespace?.routes ?? [];

describe('the exports of a plugin', () => {
  it('are accepted for this version if all names begin with the plugin’s, unused name', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ apiVersion: 2 })).toEqual(['this server has version 1 of palimpsest/plugin, not 2']);
    expect(faults({ name: 'visitors' })).toEqual([
      'guestbook.book does not begin with visitors',
      'guestbook.Signed does not begin with visitors',
      'guestbook/v1 does not begin with visitors',
    ]);
    expect(faults({ name: 'cms', areas: [], namespaces: [] })).toEqual(['is taken by the server']);
    expect(faults({ areas: [area, area] })).toContain('guestbook.book is there twice');
  });

  it('are refused if a route lacks a required member', () => {
    const routes = (changed: object) => ({ namespaces: [{ ...namespace, routes: [{ ...route, ...changed }] }] });
    expect(faults(routes({}))).toEqual([]);
    expect(faults(routes({ query: undefined }))).toEqual(['needs a query or a command']);
    expect(faults(routes({ query: 'entries' }))).toEqual(['has to be a function']);
    expect(faults(routes({ answers: {} }))).toEqual(['has to be a schema made with `z`']);
  });
});

describe('a misspelt member', () => {
  it('is refused wherever it is, with the members that there are', () => {
    const [event] = area?.events ?? [];
    const said = (changed: object) => faults(changed).join('; ');
    expect(said({ page: [] })).toMatch(/^has no member page; it may have apiVersion, name, .*pages/);
    expect(said({ areas: [{ ...area, verion: 2 }] })).toMatch(/^has no member verion; it may have name, .*version/);
    expect(said({ areas: [{ ...area, events: [defineEvent({ ...event, seald: ['words'] } as never)] }] })).toMatch(
      /^has no member seald/,
    );
    expect(said({ namespaces: [{ ...namespace, rotes: [] }] })).toMatch(/^has no member rotes/);
    expect(said({ namespaces: [{ ...namespace, routes: [{ ...route, acess: 'admin' }] }] })).toMatch(
      /^has no member acess/,
    );
    expect(said({ namespaces: [{ ...namespace, routes: [{ ...route, access: 'boss' }] }] })).toBe(
      'has to be public, user, editPosts, editOthers, admin or a function',
    );
  });

  it('is in none of the plugins that come with the server', () => {
    const names = /is taken|does not begin|has to be like/;
    for (const one of bundledPlugins) {
      const issues = pluginShape([]).safeParse({ ...one, apiVersion: 1 }).error?.issues ?? [];
      expect(issues.map(({ message }) => message).filter((message) => !names.test(message))).toEqual([]);
    }
  });
});

describe('what all documents of an area begin with', () => {
  it('cannot be changed: an `evolve` that does so fails at the first event', () => {
    const pushing = defineArea({
      name: 'guestbook.pushing',
      events: area?.events ?? [],
      empty: { words: [] as string[] },
      evolve: (document) => {
        document.words.push('more');
        return document;
      },
    });
    expect(() => pushing.evolve(pushing.empty, {} as never, { key: '', at: '' })).toThrow(TypeError);
  });
});

describe('an event of a plugin', () => {
  const present = createCodec(plugin.areas.flatMap(({ events }) => events));
  const event = { type: 'guestbook.Signed', data: { user: 3, words: 'Hello' } };
  const stored = present.encode(event);
  const at = { stream: 'plugin-guestbook.book', actor: 3, others: [] };

  it('stores its subjects in the log, so that an erasure finds its texts without the plugin', () => {
    expect(stored).toMatchObject({ v: 1, sealed: '{"words":"Hello"}' });
    expect(present.decode(stored)).toEqual(event);
    expect(present.decode({ ...stored, sealed: null })).toEqual({ ...event, data: { user: 3, words: '' } });
    expect([present, codec].map((one) => one.subjects({ ...stored, ...at }))).toEqual([['user-3'], ['user-3']]);
    expect(codec.subjects({ ...stored, ...at, data: '{"user":3}' })).toEqual(['anybody']);
  });

  it('can be read without the plugin, except for its sealed fields', () => {
    expect(codec.decode(stored)).toEqual({ type: 'guestbook.Signed', data: { user: 3 } });
    expect(() => codec.decode({ ...stored, type: 'GuestbookSigned' })).toThrow('no definition');
    expect(() => codec.encode(event)).toThrow('no definition');
  });

  it('belongs only in streams of its plugin', () => {
    expect(followStream('plugin-guestbook.book')?.take(event)).toBeNull();
    expect(followStream('plugin-visitors.book')?.take(event)).toContain('does not belong');
    expect(followStream('plugin-guestbook')).toBeNull();
  });
});
