import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewComment } from '#domain/comment/commands.ts';
import { networkOf } from '#domain/comment/network.ts';
import { type StatusWord, statusWord } from '#domain/comment/vocabulary.ts';
import { given, guest, now, text, written } from './comment-support.ts';

const named = { name: text(guest.name), email: guest.email } satisfies Partial<NewComment>;
const asGuest = (fields: Partial<NewComment> = {}) => ({ ...named, ...fields });
const visitor = { facts: { actor: 0 } };

describe('a new comment', () => {
  it('is by the user who writes it, in three events: its text, its author and its origin', () => {
    const outcome = given().written();
    expect(outcome.types()).toEqual(['CommentWritten', 'CommentSigned', 'CommentOriginNoted']);
    expect(outcome.comment()).toMatchObject({
      ...{ id: 5, post: 12, parent: 0, author: 3, name: 'user 3', email: 'user3@example.org' },
      ...{ status: 'hold', date: now.local, dateGmt: now.gmt, ip: '192.0.2.7', agent: 'Mozilla/5.0' },
    });
  });

  it('is by the user it names; sent fields override their name and addresses', () => {
    const comment = given().written({ author: 4, url: 'https://example.org/' }).comment();
    expect(comment).toMatchObject({ author: 4, name: 'user 4', url: 'https://example.org/' });
    given().written({ author: 44 }).refused('rest_comment_author_invalid');
  });

  it('has no account as author when author data are sent, which must include name and mail address', () => {
    expect(given().written(asGuest()).comment()).toMatchObject({ author: 0, name: 'Guest' });
    for (const part of [{ name: text('Guest') }, { email: guest.email }, { url: 'https://example.org' }]) {
      given().written(part).refused('rest_comment_author_data_required');
    }
    given().written({}, visitor).refused('rest_comment_author_data_required');
  });

  it('needs a text, and is refused when a field exceeds its length in bytes', () => {
    for (const content of [text(''), undefined]) {
      given()
        .written({ content: content as never })
        .refused('rest_comment_content_invalid');
    }
    expect(
      given()
        .written({ content: text('0') })
        .comment(),
    ).toMatchObject({ content: '0' });
    const long: [string, Partial<NewComment>][] = [
      ['comment_author_column_length', { name: text('é'.repeat(123)) }],
      ['comment_author_email_column_length', { email: `${'a'.repeat(90)}@example.org` }],
      ['comment_author_url_column_length', { url: `https://${'a'.repeat(200)}` }],
      ['comment_content_column_length', { content: text('x'.repeat(65_526)) }],
    ];
    for (const [code, fields] of long) given().written(asGuest(fields)).refused(code);
    expect(written(asGuest({ content: text('x'.repeat(65_525)) }))).toHaveLength(3);
  });

  it('is approved if its author is trusted, or is known and uses few links; otherwise it is held', () => {
    const status = (fields: Partial<NewComment>, moderation = {}) =>
      given().written(fields, { moderation }).comment()?.status;
    expect(status({ author: 1 })).toBe('approved');
    expect(status({ author: 2 })).toBe('approved');
    expect(status({})).toBe('hold');
    expect(status({}, { isKnown: () => true, links: 1 })).toBe('approved');
    expect(status({}, { isKnown: () => true, links: 2 })).toBe('hold');
    expect(status(asGuest(), { isTrusted: () => true })).toBe('hold');
  });

  it('gets the requested status; spam and trash remember the status it would have had', () => {
    const standing = (word: StatusWord) => {
      const { status, remembered } = given().written({ status: word }).comment() ?? {};
      return [status, remembered];
    };
    expect(standing('approve')).toEqual(['approved', null]);
    expect(standing('spam')).toEqual(['spam', 'hold']);
    expect(standing('trash')).toEqual(['trash', 'hold']);
    expect(standing('hold')).toEqual(['hold', null]);
  });

  it('is refused as a duplicate, even of a moderator, and within 15 seconds of the last one except of a moderator', () => {
    given()
      .written({}, { moderation: { isThere: () => true, moderates: true } })
      .refused('comment_duplicate');
    const soon = { lastDate: () => '2026-03-14T09:14:46' };
    given().written({}, { moderation: soon }).refused('comment_flood');
    expect(
      given()
        .written({}, { moderation: { ...soon, moderates: true } })
        .types(),
    ).toHaveLength(3);
    expect(
      given()
        .written({}, { moderation: { lastDate: () => '2026-03-14T09:14:45' } })
        .types(),
    ).toHaveLength(3);
  });

  it('of a visitor is limited in number and rate per network', () => {
    const visitors = { recent: 2, limit: 3, last: null };
    const from = (more: object) =>
      given().written(asGuest(), { ...visitor, moderation: { visitors: { ...visitors, ...more } } });
    expect(from({}).comment()).toMatchObject({ author: 0, status: 'hold' });
    from({ recent: 3 }).refused('rest_too_many_comments');
    from({ last: '2026-03-14T09:14:50' }).refused('comment_flood');
  });
});

describe('a note', () => {
  const note = { kind: 'note', post: 12 } as const;

  it('is approved at once, and needs no text if it resolves something', () => {
    const moderation = { isThere: () => true, lastDate: () => now.gmt };
    expect(given().written(note, { moderation }).comment()).toMatchObject({ kind: 'note', status: 'approved' });
    const resolved = { ...note, content: text(''), resolution: 'resolved' } as const;
    expect(given().written(resolved).comment()).toMatchObject({ resolution: 'resolved', content: '' });
    given()
      .written({ ...resolved, kind: 'comment' })
      .refused('rest_comment_content_invalid');
    given()
      .written({ ...note, content: text('') })
      .refused('rest_comment_content_invalid');
  });
});

describe('a comment that is saved', () => {
  const before = written({ status: 'approve' });

  it('changes nothing if no field differs, except its origin', () => {
    expect(
      given(...before)
        .changed({ agent: 'Mozilla/5.0' })
        .events(),
    ).toEqual([]);
    expect(
      given(...before)
        .changed({ ip: '198.51.100.1', agent: 'curl' })
        .types(),
    ).toEqual(['CommentOriginNoted']);
  });

  it('is signed anew for another author, whose erasure reaches all names', () => {
    const events = given(...before)
      .changed({ author: 4 })
      .events();
    const signed = events.find(({ type }) => type === 'CommentSigned');
    expect(Object.keys(signed?.data ?? {})).toEqual(expect.arrayContaining(['name', 'email', 'url']));
  });

  it('records only the changed fields, with the author they belong to', () => {
    const outcome = given(...before).changed({ email: '', parent: 4, content: text('Others') });
    expect(outcome.events()).toEqual([
      { type: 'CommentChanged', data: { parent: 4 } },
      { type: 'CommentEdited', data: { post: 12, content: 'Others' } },
      { type: 'CommentSigned', data: { post: 12, author: 3, address: '', email: '' } },
    ]);
    expect(
      given(...before)
        .changed({ author: 4 })
        .comment(),
    ).toMatchObject({ author: 4, name: 'user 4' });
    given(...before)
      .changed({ author: 0 })
      .refused('rest_comment_author_invalid');
    given(...before)
      .changed({ content: text('') })
      .refused('rest_comment_content_invalid');
  });
});

describe('the status of a comment', () => {
  it('is restored to what spam or trash remembers, once', () => {
    const words: readonly StatusWord[] = [
      'spam',
      'unspam',
      'hold',
      'trash',
      'untrash',
      'approve',
      'hold',
      'approve',
      'unspam',
    ];
    let events = written({ status: 'approve' });
    const statuses = words.map((status) => {
      const outcome = given(...events).changed({ status });
      events = [...events, ...outcome.events()];
      return outcome.comment()?.status;
    });
    expect(statuses).toEqual(['spam', 'approved', 'hold', 'trash', 'hold', 'approved', 'hold', 'approved', 'hold']);
  });

  it('is read from a few words and two numbers, ignoring case and stray characters', () => {
    const known = {
      approved: 'approve',
      '1': 'approve',
      'Un-Spam': null,
      ' SPAM!': 'spam',
      '0': 'hold',
      constructor: null,
    };
    for (const [word, meant] of Object.entries(known)) expect(statusWord(word)).toBe(meant);
  });

  it('changes with every event: without an effect there is none', () => {
    const word = fc.constantFrom<StatusWord>('approve', 'hold', 'spam', 'unspam', 'trash', 'untrash');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), word, (before, last) => {
        let events = written();
        for (const status of before)
          events = [
            ...events,
            ...given(...events)
              .changed({ status })
              .events(),
          ];
        const again = given(...events).changed({ status: last });
        const { status, remembered } = again.comment() ?? {};
        const was = given(...events)
          .changed({})
          .comment();
        if (again.events().length === 0) expect([status, remembered]).toEqual([was?.status, was?.remembered]);
        else expect(status).not.toBe(was?.status);
      }),
    );
  });

  it('becomes trash only once; a comment can also be deleted directly', () => {
    const trashed = given(...written()).trashed();
    expect(trashed.comment()).toMatchObject({ status: 'trash', remembered: 'hold' });
    given(...written(), ...trashed.events())
      .trashed()
      .refused('rest_already_trashed');
    expect(
      given(...written({ parent: 4 }))
        .deleted()
        .events(),
    ).toEqual([{ type: 'CommentDeleted', data: { id: 5, parent: 4 } }]);
  });
});

describe('the network of an address', () => {
  it('is a whole IPv4 address, or the first half of an IPv6 address', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('2001:DB8:0:7::1')).toBe('2001:db8:0:7');
    expect(networkOf('2001:0db8::7:0:0:0:1')).toBe('2001:db8:0:7');
    expect(networkOf('::1')).toBe('0:0:0:0');
    expect(networkOf('::ffff:192.0.2.7')).toBe('0:0:0:0');
  });
});
