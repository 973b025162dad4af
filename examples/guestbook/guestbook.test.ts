import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { given, startTestSite } from 'palimpsest/plugin-test';
import { book, sign } from './book.ts';

const signed = { type: 'guestbook.Signed', data: { user: 3, words: 'Hello' } } as const;

test('the same words are stored once', () => {
  const events = given(book, [signed]).when((book) => sign(book, signed.data));
  assert.deepEqual(events, []);
});

test('the book has the latest words of each signer', () => {
  const later = { type: 'guestbook.Signed', data: { user: 3, words: 'Good day' } } as const;
  assert.deepEqual(given(book, [signed]).when([later], { times: 2 }).document(), { entries: [later.data] });
});

const site = await startTestSite({ plugins: [import.meta.dirname] });
after(() => site.close());

test('users sign the book, and everybody reads it', async () => {
  assert.equal((await site.call('anonymous', 'POST guestbook/v1/sign', { words: 'Hello' })).status, 401);
  assert.deepEqual((await site.call('author', 'POST guestbook/v1/sign', { words: 'Hello' })).body, { signed: true });
  const { body } = await site.call('anonymous', 'GET guestbook/v1/entries');
  assert.deepEqual(body, [{ user: 'author', words: 'Hello' }]);
});

test('the tables follow from the log', () => site.check());
