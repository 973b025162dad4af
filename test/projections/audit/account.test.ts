import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { NewEvent, StoredEvent } from '#eventstore/port.ts';
import { auditAccount } from '#projections/audit/account.ts';
import { changesBetween, changesBy } from '#projections/audit/changes.ts';
import { eventGroups, eventTypes, summaryOf, typesNamed } from '#projections/audit/event-summaries.ts';
import { AuditNames } from '#projections/audit/names.ts';
import { commit } from '../../support/commits.ts';
import { openMemoryStore } from '../../support/memory/store.ts';

const folder = new URL('../../golden/', import.meta.url);
const examples = readdirSync(folder).map((file) => {
  const [type = '', version = ''] = file.split('.');
  const { data, sealed } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  return { type, v: Number(version.slice(1)), data: JSON.stringify(data), sealed: sealed && JSON.stringify(sealed) };
});

async function logOf(events: readonly NewEvent[]) {
  const log = openMemoryStore();
  await log.append(
    events.map((event) => commit([event])),
    0,
  );
  return log;
}

/** The log of some events, and how the audit describes each. */
async function told(...events: readonly (DomainEvent & { readonly stream: string })[]) {
  const log = await logOf(events.map(({ stream, ...event }) => ({ stream, ...codec.encode(event) })));
  const names = new AuditNames(log);
  return { log, accounts: [...log.read()].map((event) => auditAccount(event, names)) };
}

const erased = (event: StoredEvent): StoredEvent => ({ ...event, sealed: null });
const saved = { modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T11:00:00' };
const texts = { title: 'First', content: 'Words', excerpt: '', footnotes: '' };
const ada = {
  ...{ type: 'UserAdded', stream: 'user-1' },
  data: {
    id: 1,
    roles: ['editor'],
    login: 'ada',
    displayName: 'Ada',
    slug: 'ada',
    email: '',
    url: '',
    description: '',
  },
} as const;
const revised = (given: Partial<typeof texts>) => ({
  ...{ type: 'EntryRevised', stream: 'entry-5' },
  data: { revision: null, ...saved, ...texts, ...given },
});

describe('the table of event types', () => {
  it('lists each type once, and each in a group', () => {
    const types = codec.definitions.map(({ type }) => type).sort();
    expect([...eventTypes()].sort()).toEqual(types);
    expect(eventGroups.flatMap((group) => group.types).sort()).toEqual(types);
  });

  it.each(examples)('describes a $type of version $v in plain words, also when it is erased', async (example) => {
    const log = await logOf([{ stream: 'entry-1', ...example }]);
    const [event] = log.read();
    if (event === undefined) throw new Error('nothing in the log');
    for (const one of [event, erased(event)]) {
      const { what, who } = auditAccount(one, new AuditNames(log));
      expect(what).toMatch(/^[a-z].+[^\s.,]$/);
      expect(`${who} ${what}`).not.toMatch(/undefined|null|NaN|\[object/);
    }
    expect(summaryOf(example.type).label).toMatch(/^[A-Z]/);
  });

  it('finds types by their names, ignoring case, and by group', () => {
    expect(typesNamed('entrypublished')).toEqual(['EntryPublished']);
    expect(typesNamed('terms')).toEqual(['TermCreated', 'TermChanged', 'TermDeleted', 'MenuChanged']);
    expect(typesNamed('EntryEaten')).toBeNull();
  });
});

describe('the description of an event', () => {
  it('uses the current titles, without markup and on one line', async () => {
    const { accounts } = await told(
      ada,
      revised({ title: 'Old' }),
      revised({ title: ' New <b>and</b>\nbold &amp; <script>x</script>' }),
    );
    expect(accounts.map(({ who, what, thing }) => [who, what, thing.title])).toEqual([
      ['ada', 'made the account, with the role editor', 'ada'],
      ['ada', 'edited the texts', 'New and bold &'],
      ['ada', 'edited the texts', 'New and bold &'],
    ]);
  });

  it('finds a title that was set many events ago', async () => {
    const others = Array.from({ length: 300 }, () => ({ type: 'EntrySaved', stream: 'entry-5', data: saved }));
    const { accounts } = await told(revised({ title: 'Far back' }), ...others);
    expect(accounts.at(-1)?.thing.title).toBe('Far back');
  });

  it('does not mistake the texts of an autosave for those of the entry', async () => {
    const autosave = { autosave: 9, isNew: true, date: saved.modified, dateGmt: saved.modifiedGmt };
    const { log, accounts } = await told(
      revised({}),
      { type: 'EntryAutosaved', stream: 'entry-5', data: { ...autosave, ...texts, title: 'Draft' } },
      revised({ content: 'Other words' }),
    );
    expect(accounts[1]?.thing.title).toBe('First');
    const [, autosaved, last] = [...log.read()];
    expect(changesBy(autosaved as StoredEvent, log)?.changes.map(({ name }) => name)).toEqual(['title']);
    expect(changesBy(last as StoredEvent, log)?.changes).toEqual([
      { name: 'content', before: 'Words', after: 'Other words' },
    ]);
  });

  it('names the system, anonymous users and unknown users', () => {
    const names = new AuditNames(openMemoryStore());
    expect([names.login(null), names.login(0), names.login(7)]).toEqual([
      'the system',
      'somebody not logged in',
      'user 7',
    ]);
  });
});

describe('the changes of texts', () => {
  it('list the texts that differ, and the names of the others', async () => {
    const { log } = await told(revised({}), revised({ title: 'Second', excerpt: 'Short' }));
    const [first, second] = [...log.read()] as [StoredEvent, StoredEvent];
    expect(changesBetween(first, second, log)).toMatchObject({
      changes: [
        { name: 'title', before: 'First', after: 'Second' },
        { name: 'excerpt', before: '', after: 'Short' },
      ],
      same: ['content', 'footnotes'],
      erased: false,
    });
    expect(changesBy(second, log)?.base?.position).toBe(1);
  });

  it('list every text if there was none before', async () => {
    const { log } = await told(revised({}));
    const [first] = [...log.read()] as [StoredEvent];
    expect(changesBy(first, log)).toMatchObject({ base: null, changes: [{ name: 'title' }, { name: 'content' }] });
  });

  it('mark erased texts', async () => {
    const { log } = await told(revised({}), revised({ title: 'Second' }));
    const [first, second] = [...log.read()] as [StoredEvent, StoredEvent];
    expect([
      changesBetween(erased(first), second, log)?.erased,
      changesBetween(first, erased(second), log)?.erased,
    ]).toEqual([true, true]);
  });

  it('are null for events without texts', async () => {
    const { log } = await told({ type: 'EntrySaved', stream: 'entry-5', data: saved });
    const [event] = [...log.read()] as [StoredEvent];
    expect(changesBy(event, log)).toBeNull();
  });
});
