import type { WantedItem } from '#commands/migration.ts';
import type { Term } from '#domain/term/state.ts';
import { isEmail, unknownEmail } from '#domain/user/naming.ts';
import { type Role, roles } from '#domain/user/roles.ts';
import type { User } from '#domain/user/state.ts';
import type { AuthorRecord, SourceMeta, TermRecord } from '#wxr/records.ts';
import { authorItemKey } from './catalogue.ts';
import { type Making, wantedItem } from './states.ts';

/** Accounts and terms, which everything else names. */

export function authorItem(key: string, author: AuthorRecord, { places }: Making): WantedItem {
  const { login, firstName, lastName, slug, url, description } = author;
  const displayName = author.displayName.trim();
  const known = author.roles.filter((role): role is Role => (roles as readonly string[]).includes(role));
  const email = isEmail(author.email) && author.email !== unknownEmail ? author.email : '';
  const state: Partial<User> = {
    ...{ login: login || `user-${author.id}`, email, firstName, lastName, url, description },
    // Without one it follows from the login.
    ...(slug === '' ? {} : { slug }),
    ...(displayName === '' ? {} : { displayName }),
    ...(known.length === 0 ? {} : { roles: known }),
  };
  return wantedItem('user', authorItemKey(key), { id: places.user({ name: key }), record: author, state });
}

/** Characters of the name of a term; the whole one of a longer name is kept unread. */
const longestName = 200;

export function termItem(key: string, term: TermRecord, { places }: Making): WantedItem {
  const { taxonomy, slug, name, description, parent, meta } = term;
  const settings = taxonomy === 'nav_menu' ? { menu: menuSettings(meta) } : {};
  const state = {
    ...{ taxonomy, name: name.slice(0, longestName), slug, description },
    parent: parent === null ? 0 : places.term(taxonomy, parent),
    ...settings,
  } as Partial<Term>;
  const left = meta.filter(({ key: name }) => taxonomy !== 'nav_menu' || !(name in menuMeta));
  const more = { ...(left.length > 0 && { meta: left }), ...(name.length > longestName && { name }) };
  const unread = Object.keys(more).length === 0 ? {} : { unread: JSON.stringify(more) };
  return {
    ...wantedItem('term', `term ${key}`, { id: places.term(taxonomy, { name: slug }), record: term, state }),
    ...unread,
  };
}

const menuMeta = { locations: [], auto_add: false };

function menuSettings(meta: readonly SourceMeta[]): Term['menu'] {
  const read = (key: string) => parsed(meta.find((one) => one.key === key)?.value);
  const locations = read('locations');
  return {
    locations: Array.isArray(locations) ? locations.map(String) : [],
    autoAdd: read('auto_add') === true,
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
