import { describe, it } from 'vitest';
import { example, given, on } from '../support/projection-spec.ts';

const none = { categories: [], tags: [], featuredMedia: 0, format: 'standard' };
const written = (id: number, more = {}) =>
  on(`entry-${id}`, example('EntryCreated', { id, slug: `post-${id}`, ...none, ...more }));
const revised = (id: number, data: object) => on(`entry-${id}`, example('EntryRevised', { footnotes: '', ...data }));
const block = (name: string) => `<!-- wp:builder/posts {"bldQueryId":"${name}"} -->x<!-- /wp:builder/posts -->`;

describe('entries', () => {
  it('have the newest of each text, and the position of the event that has it', () => {
    given(written(12, { title: 'One', content: 'First' }))
      .when(revised(12, { revision: 14, title: 'Two' }))
      .thenFound('SELECT title, content_at, title_at, content FROM entries JOIN texts USING (id)', [
        { title: 'Two', title_at: 2, content_at: 1, content: 'First' },
      ]);
  });

  it('are counted with their terms and authors while they are published', () => {
    const terms = on(
      'term-7',
      example('TermCreated', { id: 7, taxonomy: 'category', parent: 0, slug: 'a', name: 'A' }),
    );
    const counted = 'SELECT published, unpublished FROM terms WHERE id = 7';
    const one = given(terms, written(12, { categories: [7] }));
    one.thenFound(counted, [{ published: 1 }]);
    one
      .when([...written(13, { categories: [7] }), ...on('entry-12', example('EntryTrashed'))])
      .thenFound(counted, [{ published: 1 }]);
  });

  it('leave the rows that were replaced, once for each change, with where they began and ended', () => {
    given(written(12, { slug: 'before' }))
      .when(on('entry-12', example('EntrySlugChanged', { slug: 'after' })), { times: 2 })
      .thenFound('SELECT slug, since, until FROM entries_history WHERE id = 12', [
        { slug: 'before', since: 1, until: 2 },
        { slug: 'after', since: 2, until: 3 },
      ]);
  });

  it('go when they are deleted, and their revisions with them', () => {
    given(written(12), revised(12, { revision: 14, title: 'Two' }))
      .when(on('entry-12', example('EntryDeleted', { id: 12, kind: 'post', heir: 0, inherited: undefined })))
      .then({ entries: [], texts: [], revisions: [] });
  });
});

describe('revisions', () => {
  it('are one for each event that has texts, and say where those of the other fields are', () => {
    given(written(12, { title: 'One' }))
      .when([...revised(12, { revision: 14, title: 'Two' }), ...revised(12, { revision: 15, content: 'Second' })])
      .thenFound('SELECT id, parent, title_at, content_at FROM revisions ORDER BY id DESC LIMIT 2', [
        { id: 15, parent: 12, content_at: 3 },
        { id: 14, parent: 12, title_at: 2, content_at: 1 },
      ]);
  });
});

describe('terms', () => {
  const term = (id: number, parent = 0) =>
    on(`term-${id}`, example('TermCreated', { id, taxonomy: 'category', slug: `t${id}`, name: `T${id}`, parent }));

  it('have what was changed last, however often it is said', () => {
    given(term(7))
      .when(on('term-7', example('TermChanged', { id: 7, taxonomy: 'category', slug: 'vellum', name: 'Vellum' })), {
        times: 3,
      })
      .thenFound('SELECT id, slug, name, parent FROM terms', [{ id: 7, slug: 'vellum', name: 'Vellum', parent: 0 }]);
  });

  it('go when they are deleted', () => {
    given(term(3), term(7, 3))
      .when(on('term-7', example('TermDeleted', { id: 7, taxonomy: 'category', parent: 3, heir: 3 })))
      .thenFound('SELECT id FROM terms', [{ id: 3 }]);
  });
});

describe('media', () => {
  const uploaded = (id: number, name: string) => on(`media-${id}`, example('MediaUploaded', { id, name, parent: 0 }));

  it('keep their addresses when they are changed, and lose them when they are deleted', () => {
    const changed = on('media-14', example('MediaChanged', { slug: 'room', parent: 0, featuredMedia: 0 }));
    const addresses = 'SELECT DISTINCT media FROM media_addresses WHERE media <> 0';
    const { when } = given(uploaded(14, 'a.jpg'), uploaded(15, 'b.jpg'));
    when(changed, { times: 2 }).thenFound('SELECT id, slug FROM media WHERE id = 14', [{ id: 14, slug: 'room' }]);
    when(on('media-14', example('MediaDeleted', { id: 14 }))).thenFound(addresses, [{ media: 15 }]);
  });
});

describe('users', () => {
  it('are disabled and enabled as often as it is said', () => {
    const added = on('user-2', example('UserAdded', { id: 2 }));
    const found = `SELECT login, json_extract(state, '$.disabled') AS disabled FROM users WHERE id = 2`;
    given(added).thenFound(found, [{ login: 'ada', disabled: 0 }]);
    given(added)
      .when(on('user-2', example('UserDisabled', { id: 2 })), { times: 2 })
      .thenFound(found, [{ login: 'ada', disabled: 1 }]);
  });
});

describe('comments', () => {
  const comment = (id: number, data = {}) =>
    on(
      `comment-${id}`,
      example('CommentWritten', { id, post: 12, parent: 0, status: 'approved', remembered: undefined, ...data }),
    );

  it('are counted by status', () => {
    const counts = 'SELECT status, n FROM comment_counts WHERE post = 12 AND n > 0 ORDER BY status';
    given(written(12), comment(5), comment(6, { status: 'hold' }))
      .when(on('comment-6', example('CommentApproved')))
      .thenFound(counts, [{ status: 'approved', n: 2 }]);
  });

  it('that are deleted were last on the post that they were moved to', () => {
    given(written(12), written(13), comment(5), written(14))
      .when([
        ...on('comment-5', example('CommentChanged', { post: 13, parent: 0 })),
        ...on('comment-5', example('CommentDeleted', { id: 5, parent: 0 })),
      ])
      .thenFound('SELECT post, since, until FROM comments_history WHERE id = 5', [
        { post: 12, since: 3, until: 5 },
        { post: 13, since: 5, until: 6 },
      ]);
  });
});

describe('blocks that are queried', () => {
  it('follow the texts as they are added and removed', () => {
    const made = given(written(12, { content: block('one') + block('two') }));
    made.then({
      query_blocks: [
        { query: 'one', entry: 12 },
        { query: 'two', entry: 12 },
      ],
    });
    const other = made.when(revised(12, { revision: 14, content: block('three') }));
    other.then({ query_blocks: [{ query: 'three', entry: 12 }] });
    made
      .when(revised(12, { revision: 14, title: 'Other' }))
      .then({ query_blocks: [{ query: 'one' }, { query: 'two' }] });
  });
});

describe('the audit', () => {
  it('has a row for each event, and where each field was set', () => {
    given(written(12))
      .when(revised(12, { revision: 14, title: 'Two' }), { times: 2 })
      .then({
        trail: [
          { position: 1, type: 'EntryCreated', actor: 1 },
          { position: 2, type: 'EntryRevised' },
          { position: 3, type: 'EntryRevised' },
        ],
      });
    given(written(12))
      .when(revised(12, { revision: 14, title: 'Two' }), { times: 2 })
      .thenFound("SELECT position FROM setters WHERE stream = 'entry-12' AND field = 'title' ORDER BY position", [
        { position: 2 },
        { position: 3 },
      ]);
  });

  it('knows from when to when an entry was public', () => {
    given(written(12))
      .when([...on('entry-12', example('EntrySentBackToDraft')), ...on('entry-12', example('EntryPublished'))])
      .thenFound('SELECT entry, low, high FROM publications ORDER BY low', [
        { entry: 12, low: 1 },
        { entry: 12, low: 3, high: null },
      ]);
  });
});

describe('the site and what plugins keep', () => {
  it('has the settings that were changed, and keeps the others', () => {
    given(on('site', example('SiteConfigured')))
      .when(on('site', example('SiteSettingsChanged', { name: 'Named' })), { times: 2 })
      .thenFound("SELECT json_extract(state, '$.name') AS name, json_extract(state, '$.timezone') AS zone FROM site", [
        { name: 'Named', zone: 'UTC' },
      ]);
  });

  it('has one key per request, of its newest answer', () => {
    given()
      .when(on(`request-${'a'.repeat(64)}`, example('RequestAnswered')), { times: 2 })
      .thenFound('SELECT position FROM requests', [{ position: 2 }]);
  });
});
