import { type coreEvents, pluginEvents } from '#catalogue/events.ts';
import { textNames } from '#domain/entry/texts.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import { isOfPackage } from '#domain/kernel/codec.ts';
import type { EventDefinition, EventOf } from '#domain/kernel/event.ts';
import type { EditStep } from '#domain/media/editing.ts';
import { termKinds } from '#domain/term/kinds.ts';
import {
  commentTellings,
  type EventSummary,
  inWords,
  pairs,
  type SummaryTexts,
  type Titles,
  textsNamed,
} from './event-summary.ts';

/** Every event with wording of its own; events of plugins are described by their names. */
type AnyEvent = EventOf<(typeof coreEvents)[number]>;

const entryTexts = textsNamed(...textNames);
const mediaTexts = textsNamed('title', 'caption', 'description', 'altText');
const termTexts = textsNamed('name', 'slug', 'description');
const profileTexts = textsNamed(
  ...(['displayName', 'slug', 'email', 'url', 'description', 'firstName', 'lastName', 'nickname'] as const),
);

const eventSummaries: { readonly [E in AnyEvent as E['type']]: EventSummary<E['data']> } = {
  SiteConfigured: {
    label: 'Settings changed',
    tell: () => 'set name, address or time zone',
    texts: ({ templates, menuLocations, ...data }) => ({
      ...textsNamed('name', 'description', 'url', 'timezone')(data),
      ...(templates === undefined ? {} : { templates: templates.join(', ') }),
      ...(menuLocations === undefined ? {} : { menuLocations: menuLocations.join(', ') }),
    }),
  },
  SiteSettingsChanged: {
    label: 'Settings changed',
    tell: (changes) => `set ${pairs(withoutNulls(changes))}`,
    texts: (changes) => textsNamed('name', 'description', 'timezone')(withoutNulls(changes)),
  },
  SiteEmailChanged: {
    label: 'Mail address of the site changed',
    tell: () => 'changed the mail address of the site',
    texts: ({ email }) => ({ email: email ?? '' }),
    beside: true,
  },
  SiteAddressChanged: { label: 'Address changed', tell: ({ url }) => `moved the site to ${url}` },

  UserAdded: {
    label: 'Account made',
    tell: ({ roles }) => `made the account, with ${rolesInWords(roles)}`,
    texts: profileTexts,
  },
  UserProfileChanged: { label: 'Profile changed', tell: () => 'changed the profile', texts: profileTexts },
  UserRoleChanged: { label: 'Role changed', tell: ({ roles }) => `gave ${rolesInWords(roles)}` },
  UserSecretSet: { label: 'Password set', tell: () => 'set the password of the pages' },
  UserPasswordIssued: {
    label: 'Application password made',
    tell: ({ name }) => `made an application password ${quoted(name)}`,
  },
  UserTokenIssued: {
    label: 'Token made',
    tell: ({ name, until, publishes }) =>
      `made a token ${quoted(name)} for ${publishes ? 'everything that is written' : 'drafts'}, good until ${until}`,
  },
  UserPasswordRevoked: { label: 'Application password withdrawn', tell: () => 'withdrew an application password' },
  UserPasswordRenamed: { label: 'Application password renamed', tell: () => 'renamed an application password' },
  UserDisabled: { label: 'Account disabled', tell: () => 'disabled the account' },
  UserEnabled: { label: 'Account enabled', tell: () => 'enabled the account again' },
  UserDeleted: {
    label: 'Deleted',
    tell: ({ heir }, names) =>
      heir === 0 ? 'deleted; posts and pages went to the trash' : `deleted, in favour of ${names.login(heir)}`,
  },
  UserErased: { label: 'Erased', tell: () => 'closed the account for good and erased it' },

  TermCreated: { label: 'Created', tell: () => 'created', texts: termTexts },
  TermChanged: { label: 'Changed', tell: () => 'changed', texts: termTexts },
  TermDeleted: {
    label: 'Deleted',
    tell: ({ heir }, names) => (heir === 0 ? 'deleted' : `deleted, in favour of ${names.title(`term-${heir}`)}`),
  },

  MenuChanged: {
    label: 'Menu changed',
    tell: ({ locations, autoAdd }) => {
      const places = locations?.length === 0 ? 'took it out of its places' : `put it in ${locations?.join(', ')}`;
      const adding = autoAdd === true ? 'had new pages added to it' : 'had no more pages added to it';
      return [locations && places, autoAdd === undefined ? undefined : adding].filter(Boolean).join(' and ');
    },
  },

  EntryCreated: { label: 'Written', tell: ({ status }) => beginnings[status], texts: entryTexts },
  EntryRevised: {
    label: 'Texts changed',
    tell: (data) => edited(entryTexts(data), textNames.length),
    texts: entryTexts,
  },
  EntryRevisionKept: { label: 'Revision kept', tell: () => 'saved the previous version as a revision' },
  EntryReverted: {
    label: 'Texts restored',
    tell: ({ restored }) => `brought back revision ${restored}`,
    texts: entryTexts,
  },
  EntryRevisionDeleted: { label: 'Revision deleted', tell: ({ revision }) => `deleted revision ${revision}` },
  EntryAutosaved: { label: 'Autosaved', tell: () => 'autosaved', texts: entryTexts, beside: true },
  EntryPublished: { label: 'Published', tell: () => 'published' },
  EntryReleased: { label: 'Published on schedule', tell: () => 'published, as scheduled' },
  EntryScheduled: { label: 'Scheduled', tell: () => 'scheduled' },
  EntryMadePrivate: { label: 'Made private', tell: () => 'made private' },
  EntrySubmitted: { label: 'Submitted for review', tell: () => 'submitted for review' },
  EntrySentBackToDraft: { label: 'Made a draft again', tell: () => 'made it a draft again' },
  EntryTrashed: { label: 'Moved to the trash', tell: () => 'moved to the trash' },
  EntryRestored: { label: 'Taken out of the trash', tell: () => 'took out of the trash' },
  EntryDeleted: {
    label: 'Deleted for good',
    tell: ({ heir }, names) => {
      if (heir === undefined) return 'deleted for good';
      const place = heir === 0 ? 'below nothing' : `below ${names.title(`entry-${heir}`)}`;
      return `deleted for good; what was below it is now ${place}`;
    },
  },
  EntryErased: { label: 'Erased', tell: () => 'had its texts erased' },
  EntrySlugChanged: { label: 'Slug changed', tell: ({ slug }) => `gave the slug ${quoted(slug)}` },
  EntryDateChanged: {
    label: 'Date changed',
    tell: ({ date, dateGmt }) => (dateGmt === null ? 'left the date open' : `set the date to ${plainTime(date)}`),
  },
  EntryAuthorChanged: {
    label: 'Author changed',
    tell: ({ author }, names) => `made ${names.login(author)} the author`,
  },
  EntryPasswordChanged: { label: 'Password changed', tell: () => 'set, changed or removed the password' },
  EntryStuck: { label: 'Made sticky', tell: () => 'made sticky' },
  EntryUnstuck: { label: 'No longer sticky', tell: () => 'made no longer sticky' },
  EntryClassified: {
    label: 'Categories or tags changed',
    tell: ({ categories, tags }, names) =>
      `set ${listed('categories', categories, names)} and ${listed('tags', tags, names)}`,
  },
  EntryTermsChanged: {
    label: 'Terms changed',
    tell: ({ taxonomy, terms }, names) => `set ${listed(termKinds[taxonomy].type.name.toLowerCase(), terms, names)}`,
  },
  EntryMoved: {
    label: 'Moved below another page',
    tell: ({ parent }, names) => (parent === 0 ? 'moved to the top' : `moved below ${names.title(`entry-${parent}`)}`),
  },
  EntryOrphaned: { label: 'Lost its parent', tell: () => 'deleted the page above it' },
  EntryProductChanged: { label: 'Product changed', tell: () => 'changed price, stock or attributes' },
  EntryPatternChanged: {
    label: 'Pattern changed',
    tell: ({ syncStatus }) => `made it ${syncStatus === '' ? 'synced' : syncStatus}`,
  },
  EntryMenuItemChanged: { label: 'Menu item changed', tell: () => 'changed where it leads or how it looks' },
  EntryDetailsChanged: {
    label: 'Details changed',
    tell: ({ modified: _, modifiedGmt: __, ...details }) => `set ${pairs(details)}`,
  },
  EntrySaved: { label: 'Saved without a change', tell: () => 'saved without a change' },

  MediaUploaded: {
    label: 'Uploaded',
    tell: ({ type, bytes }) => `uploaded (${type}, ${size(bytes)})`,
    texts: mediaTexts,
  },
  MediaChanged: {
    label: 'Details changed',
    tell: ({ modified: _, modifiedGmt: __, ...details }) =>
      Object.keys(details).length === 0 ? 'saved without a change' : `set ${pairs(details)}`,
  },
  MediaDescribed: { label: 'Texts changed', tell: (data) => edited(mediaTexts(data), 4), texts: mediaTexts },
  MediaDetached: {
    label: 'Lost what it was attached to',
    tell: ({ inherited }) =>
      `deleted what it was attached to${inherited === undefined ? '' : `; it stays ${inherited}`}`,
  },
  MediaDerived: {
    label: 'Made from another image',
    tell: ({ source, steps }, names) => `made it from ${names.title(`media-${source}`)}: ${editTold(steps)}`,
  },
  MediaSizesMade: {
    label: 'Sizes made',
    tell: ({ sizes }) => `made ${sizes.length === 1 ? 'a smaller size' : `${sizes.length} smaller sizes`}`,
  },
  MediaMadePrivate: { label: 'Made private', tell: () => 'made it private' },
  MediaReleased: { label: 'No longer private', tell: () => 'made it as open as what it is attached to' },
  MediaDeleted: { label: 'Deleted', tell: () => 'deleted' },
  MediaErased: { label: 'Erased', tell: () => 'had its file and texts erased' },

  ...commentTellings,

  ClockFoundBehind: {
    label: 'Clock behind the log',
    tell: ({ clock }) => `found the clock at ${plainTime(clock)} (UTC), behind the time of the log`,
  },

  RequestAnswered: {
    label: 'Answer kept',
    tell: ({ status }) => `kept the answer (${status}) in case the request comes again`,
  },
};

const summaries: ReadonlyMap<string, EventSummary<unknown>> = new Map([
  ...(Object.entries(eventSummaries) as [string, EventSummary<unknown>][]),
  ...pluginEvents.map((definition) => [definition.type, plainSummary(definition)] as const),
]);

/** The wording for an event type; throws for an unknown type. */
export function summaryOf(type: string): EventSummary<unknown> {
  const found = summaries.get(type) ?? (isOfPackage(type) ? plainSummary({ type, sealed: [] }) : undefined);
  if (found === undefined) throw new Error(`there is no event type ${type}`);
  return found;
}

function plainSummary({ type, sealed }: Pick<EventDefinition, 'type' | 'sealed'>): EventSummary<unknown> {
  const [name = '', plugin] = type.split('.').reverse();
  const label = `${name.charAt(0)}${inWords(name.slice(1))}${plugin === undefined ? '' : ` (${plugin})`}`;
  return {
    label,
    tell: (data) => {
      const open = Object.entries(data as object).filter(([name]) => !sealed.includes(name));
      const told = open.map(([name, value]) => shortly(`${inWords(name)} ${plainly(value)}`)).join(', ');
      return `recorded “${label}”${told === '' ? '' : ` (${told})`}`;
    },
  };
}

const longestTold = 80;

function shortly(text: string): string {
  return text.length > longestTold ? `${text.slice(0, longestTold).toWellFormed()}…` : text;
}

/** A value without JSON syntax; for lists of objects only their length. */
function plainly(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value)) return membersOf(value);
  if (value.some((item) => typeof item === 'object')) return String(value.length);
  return value.length === 0 ? 'none' : value.join(', ');
}

function membersOf(record: object): string {
  const members = Object.entries(record).map(([name, value]) => `${inWords(name)} ${plainly(value)}`);
  return members.length === 0 ? 'none' : members.join(', ');
}

export interface EventGroup {
  readonly name: string;
  readonly title: string;
  readonly types: readonly string[];
}

const groups: readonly {
  readonly name: string;
  readonly title: string;
  readonly holds: (type: string) => boolean;
}[] = [
  { name: 'entries', title: 'Posts and pages', holds: (type) => type.startsWith('Entry') },
  { name: 'media', title: 'Media', holds: (type) => type.startsWith('Media') },
  { name: 'comments', title: 'Comments', holds: (type) => type.startsWith('Comment') },
  { name: 'terms', title: 'Categories and tags', holds: (type) => type.startsWith('Term') || type === 'MenuChanged' },
  { name: 'accounts', title: 'Accounts', holds: (type) => type.startsWith('User') },
  { name: 'plugins', title: 'Plugins', holds: (type) => pluginEvents.some((one) => one.type === type) },
  { name: 'others', title: 'Settings and everything else', holds: () => true },
];

export const eventGroups: readonly EventGroup[] = groups.map(({ name, title }, i) => ({
  name,
  title,
  types: eventTypes().filter((type) => groups.findIndex(({ holds }) => holds(type)) === i),
}));

/** The event types named by a word: a type's own name or that of a group; null for an unknown word. */
export function typesNamed(word: string): readonly string[] | null {
  const group = eventGroups.find(({ name }) => name === word);
  if (group !== undefined) return group.types;
  const type = eventTypes().find((one) => one.toLowerCase() === word.toLowerCase());
  return type === undefined ? null : [type];
}

export function eventTypes(): string[] {
  return [...summaries.keys()];
}

const beginnings: Readonly<Record<EntryStatus, string>> = {
  publish: 'wrote and published it',
  future: 'wrote and scheduled it',
  draft: 'wrote it as a draft',
  pending: 'wrote it and submitted it for review',
  private: 'wrote it as private',
  trash: 'wrote it into the trash',
};

/** Names the texts of a change. Events of version 1 contain all texts, even unchanged ones. */
function edited(texts: SummaryTexts, all: number): string {
  const names = Object.keys(texts);
  return names.length < all ? `edited ${names.map(inWords).join(', ')}` : 'edited the texts';
}

function listed(what: string, ids: readonly number[], names: Titles): string {
  return ids.length === 0 ? `no ${what}` : `${what} ${ids.map((id) => names.title(`term-${id}`)).join(', ')}`;
}

function rolesInWords(roles: readonly string[]): string {
  if (roles.length === 0) return 'no role';
  return `the role${roles.length > 1 ? 's' : ''} ${roles.join(', ')}`;
}

function withoutNulls<T extends object>(changes: T): { readonly [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? ''])) as never;
}

function quoted(text: string): string {
  return text === '' ? '(none)' : `“${text}”`;
}

function plainTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

function size(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024).toLocaleString('en')} KiB`;
}

function editTold(steps: readonly EditStep[]): string {
  const told = steps.map(({ type, args }) =>
    type === 'crop' ? 'cropped' : type === 'rotate' ? `turned by ${args.angle}°` : 'mirrored',
  );
  return told.join(', ');
}
