import { expect } from 'vitest';
import type { As, Site } from '../support/site.ts';

let number = 0;

/** Creates a user with the given extra fields; returns the record. */
export async function makeUser(site: Site, more: Record<string, unknown> = {}) {
  number += 1;
  const username = `user${number}`;
  const sent = { username, email: `${username}@example.org`, password: 'pass word', ...more };
  const { status, body, headers } = await site.call('administrator', 'POST /users', sent);
  expect(body).toMatchObject({ username: sent.username });
  return { status, user: body, location: headers.get('location') };
}

export function changeUser(site: Site, id: number, body: unknown, as: As = 'administrator') {
  return site.call(as, `PUT /users/${id}`, body);
}
