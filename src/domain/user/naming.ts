import { upToLast } from '#blocks/up-to-last.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { withoutMarkRuns } from '#text/fold.ts';
import { slugify } from '#text/slug.ts';
import type { UserFacts } from './commands.ts';
import type { User } from './state.ts';

const longestLogin = 60;
const longestSlug = 50;
const longestEmail = 100;

/** Normalises a login to ASCII letters, digits, blanks and `_ . - @ *`. Accented letters become plain ones; everything else is removed. */
export function planLogin(sent: string, facts: UserFacts): string | Refusal {
  const login = sanitiseLogin(sent);
  if (login === '') return refuse('empty_user_login', 'Cannot create a user with an empty login name.');
  if (login.length > longestLogin)
    return refuse('user_login_too_long', 'Username may not be longer than 60 characters.');
  return facts.loginTaken(login) ? refuse('existing_user_login', 'Sorry, that username already exists!') : login;
}

/** The slug of a new user: the given one or one derived from the login, numbered if taken. */
export function newUserSlug(sent: string, login: string, facts: UserFacts): string | Refusal {
  const wanted = slugify(sent);
  if (wanted.length > longestSlug) return tooLong;
  return freeSlug(wanted || slugOf(login, facts.nextUser), 0, facts);
}

/** The slug that a user changes to; refused if it is taken. */
export function changedUserSlug(user: Pick<User, 'id' | 'login'>, sent: string, facts: UserFacts): string | Refusal {
  const { id, login } = user;
  const wanted = slugify(sent);
  if (wanted.length > longestSlug) return tooLong;
  if (wanted === '') return freeSlug(slugOf(login, id), id, facts);
  return facts.slugTaken(wanted, id) ? refuse('rest_user_invalid_slug', 'Invalid slug.') : wanted;
}

/** What the interface shows where no mail address is known: one that is valid, and that no mail can be sent to (RFC 2606). */
export const unknownEmail = 'nobody@site.invalid';

/** A valid mail address that no other user has, or '' for none. `id`: the user who gets it, 0 for a new one. */
export function planEmail(sent: string, id: number, facts: UserFacts): string | Refusal {
  const email = sent.trim();
  if (email === '' || email === unknownEmail) return '';
  if (email.length > longestEmail || !EMAIL.test(email)) return refuse('invalid_email', 'Invalid email address.');
  if (!facts.emailTaken(email, id)) return email;
  const code = id === 0 ? 'existing_user_email' : 'rest_user_invalid_email';
  return refuse(code, 'Sorry, that email address is already used!');
}

export function isLogin(text: string): boolean {
  return text !== '' && sanitiseLogin(text) === text;
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** The slug derived from a login; the id if that would be empty. */
function slugOf(login: string, id: number): string {
  return slugify(login.slice(0, longestSlug)) || String(id);
}

function freeSlug(slug: string, except: number, facts: UserFacts): string {
  if (!facts.slugTaken(slug, except)) return slug;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const numbered = `${slug.slice(0, longestSlug - suffix.length)}${suffix}`;
    if (!facts.slugTaken(numbered, except)) return numbered;
  }
}

const tooLong = refuse('user_nicename_too_long', 'Slug may not be longer than 50 characters.');

function sanitiseLogin(text: string): string {
  const [tagged, rest] = upToLast(text, '>');
  const plain = withoutMarkRuns(`${tagged.replace(/<[^>]*>/g, '')}${rest}`)
    .replace(/[ßæøłđðþœÆØŁĐÐÞŒ]/g, (letter) => plainLetters[letter] ?? '')
    .normalize('NFD')
    .replace(/%[a-f0-9]{2}/gi, '')
    .split('\n')
    .map(dropReferences)
    .join('')
    .replace(/[^a-z0-9 _.@*-]/gi, '');
  return plain.replace(/ +/g, ' ').trim();
}

function dropReferences(line: string): string {
  const [within, rest] = upToLast(line, ';');
  return within.replace(/&[^;]+;/g, '') + rest;
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  œ: 'oe',
  Æ: 'AE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Œ: 'OE',
};

const EMAIL = /^[\w!#$%&'*+/=?^`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
