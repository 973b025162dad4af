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
  importedRevision,
  inWords,
  noteTellings,
  orderedBy,
  pairs,
  plainTime,
  rolesInWords,
  type SummaryTexts,
  type Titles,
  textsNamed,
  withoutNulls,
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
    describe: () => 'set name, address or time zone',
    texts: ({ templates, menuLocations, ...data }) => ({
      ...textsNamed('name', 'description', 'url', 'timezone')(data),
      ...(templates === undefined ? {} : { templates: templates.join(', ') }),
      ...(menuLocations === undefined ? {} : { menuLocations: menuLocations.join(', ') }),
    }),
  },
  SiteSettingsChanged: {
    label: 'Settings changed',
    describe: (changes) => `set ${pairs(withoutNulls(changes))}`,
    texts: (changes) => textsNamed('name', 'description', 'timezone')(withoutNulls(changes)),
  },
  SiteEmailChanged: {
    label: 'Mail address of the site changed',
    describe: () => 'changed the mail address of the site',
    texts: ({ email }) => ({ email: email ?? '' }),
    beside: true,
  },
  SiteAddressChanged: { label: 'Address changed', describe: ({ url }) => `moved the site to ${url}` },

  UserAdded: {
    label: 'Account made',
    describe: ({ roles }) => `made the account, with ${rolesInWords(roles)}`,
    texts: profileTexts,
  },
  UserProfileChanged: { label: 'Profile changed', describe: () => 'changed the profile', texts: profileTexts },
  UserRoleChanged: { label: 'Role changed', describe: ({ roles }) => `gave ${rolesInWords(roles)}` },
  UserSecretSet: { label: 'Password set', describe: () => 'set the password of the pages' },
  UserPasswordIssued: {
    label: 'Application password made',
    describe: ({ name }) => `made an application password ${quoted(name)}`,
  },
  UserTokenIssued: {
    label: 'Token made',
    describe: ({ name, until, publishes, release }) =>
      `made a token ${quoted(name)} for ${release ? `the release ${release}` : publishes ? 'everything that is written' : 'drafts'}, good until ${until}`,
  },
  UserPasswordRevoked: { label: 'Application password withdrawn', describe: () => 'withdrew an application password' },
  UserPasswordRenamed: { label: 'Application password renamed', describe: () => 'renamed an application password' },
  UserDisabled: { label: 'Account disabled', describe: () => 'disabled the account' },
  UserEnabled: { label: 'Account enabled', describe: () => 'enabled the account again' },
  UserLastDaySet: {
    label: 'Last day of account set',
    describe: ({ day }) => (day === '' ? 'let the account go on' : `let the account end after ${day}`),
  },
  UserDeleted: {
    label: 'Deleted',
    describe: ({ heir }, names) =>
      heir === 0 ? 'deleted; posts and pages went to the trash' : `deleted, in favour of ${names.login(heir)}`,
  },
  UserErased: {
    label: 'Erased',
    describe: (order, names) => `closed the account for good and erased it${orderedBy(order, names)}`,
  },

  TermCreated: {
    label: 'Created',
    describe: ({ again }) => (again === true ? broughtBack : 'created'),
    texts: termTexts,
  },
  TermChanged: { label: 'Changed', describe: () => 'changed', texts: termTexts },
  TermDeleted: {
    label: 'Deleted',
    describe: ({ heir }, names) => (heir === 0 ? 'deleted' : `deleted, in favour of ${names.title(`term-${heir}`)}`),
  },

  MenuChanged: {
    label: 'Menu changed',
    describe: ({ locations, autoAdd }) => {
      const places = locations?.length === 0 ? 'took it out of its places' : `put it in ${locations?.join(', ')}`;
      const adding = autoAdd === true ? 'had new pages added to it' : 'had no more pages added to it';
      return [locations && places, autoAdd === undefined ? undefined : adding].filter(Boolean).join(' and ');
    },
  },

  EntryCreated: {
    label: 'Written',
    describe: ({ status, again }) => (again === true ? broughtBack : beginnings[status]),
    texts: entryTexts,
  },
  EntryRevised: {
    label: 'Texts changed',
    describe: (data) => edited(entryTexts(data), textNames.length),
    texts: entryTexts,
  },
  EntryRevisionKept: { label: 'Revision kept', describe: () => 'saved the previous version as a revision' },
  EntryReverted: {
    label: 'Texts restored',
    describe: ({ restored }) => `brought back revision ${restored}`,
    texts: entryTexts,
  },
  EntryRevisionDeleted: { label: 'Revision deleted', describe: ({ revision }) => `deleted revision ${revision}` },
  EntryAutosaved: { label: 'Autosaved', describe: () => 'autosaved', texts: entryTexts, beside: true },
  EntryRevisionImported: { ...importedRevision, texts: entryTexts, beside: true },
  EntryPublished: { label: 'Published', describe: () => 'published' },
  EntryReleased: { label: 'Published on schedule', describe: () => 'published, as scheduled' },
  EntryScheduled: { label: 'Scheduled', describe: () => 'scheduled' },
  EntryMadePrivate: { label: 'Made private', describe: () => 'made private' },
  EntrySubmitted: { label: 'Submitted for review', describe: () => 'submitted for review' },
  EntrySentBackToDraft: { label: 'Made a draft again', describe: () => 'made it a draft again' },
  EntryTrashed: { label: 'Moved to the trash', describe: () => 'moved to the trash' },
  EntryRestored: { label: 'Taken out of the trash', describe: () => 'took out of the trash' },
  EntryDeleted: {
    label: 'Deleted for good',
    describe: ({ heir }, names) => {
      if (heir === undefined) return 'deleted for good';
      const place = heir === 0 ? 'below nothing' : `below ${names.title(`entry-${heir}`)}`;
      return `deleted for good; what was below it is now ${place}`;
    },
  },
  EntryErased: { label: 'Erased', describe: (order, names) => `had its texts erased${orderedBy(order, names)}` },
  EntrySlugChanged: { label: 'Slug changed', describe: ({ slug }) => `gave the slug ${quoted(slug)}` },
  EntryDateChanged: {
    label: 'Date changed',
    describe: ({ date, dateGmt }) => (dateGmt === null ? 'left the date open' : `set the date to ${plainTime(date)}`),
  },
  EntryAuthorChanged: {
    label: 'Author changed',
    describe: ({ author }, names) => `made ${names.login(author)} the author`,
  },
  EntryPasswordChanged: { label: 'Password changed', describe: () => 'set, changed or removed the password' },
  EntryStuck: { label: 'Made sticky', describe: () => 'made sticky' },
  EntryUnstuck: { label: 'No longer sticky', describe: () => 'made no longer sticky' },
  EntryClassified: {
    label: 'Categories or tags changed',
    describe: ({ categories, tags }, names) =>
      `set ${listed('categories', categories, names)} and ${listed('tags', tags, names)}`,
  },
  EntryTermsChanged: {
    label: 'Terms changed',
    describe: ({ taxonomy, terms }, names) =>
      `set ${listed(termKinds[taxonomy].type.name.toLowerCase(), terms, names)}`,
  },
  EntryMoved: {
    label: 'Moved below another page',
    describe: ({ parent }, names) =>
      parent === 0 ? 'moved to the top' : `moved below ${names.title(`entry-${parent}`)}`,
  },
  EntryOrphaned: { label: 'Lost its parent', describe: () => 'deleted the page above it' },
  EntryProductChanged: { label: 'Product changed', describe: () => 'changed price, stock or attributes' },
  EntryPatternChanged: {
    label: 'Pattern changed',
    describe: ({ syncStatus }) => `made it ${syncStatus === '' ? 'synced' : syncStatus}`,
  },
  EntryMenuItemChanged: { label: 'Menu item changed', describe: () => 'changed where it leads or how it looks' },
  EntryDetailsChanged: {
    label: 'Details changed',
    describe: ({ modified: _, modifiedGmt: __, ...details }) => `set ${pairs(details)}`,
  },
  EntrySaved: { label: 'Saved without a change', describe: () => 'saved without a change' },

  MediaUploaded: {
    label: 'Uploaded',
    describe: ({ type, bytes, again }) => (again === true ? broughtBack : `uploaded (${type}, ${size(bytes)})`),
    texts: mediaTexts,
  },
  MediaChanged: {
    label: 'Details changed',
    describe: ({ modified: _, modifiedGmt: __, ...details }) =>
      Object.keys(details).length === 0 ? 'saved without a change' : `set ${pairs(details)}`,
  },
  MediaDescribed: { label: 'Texts changed', describe: (data) => edited(mediaTexts(data), 4), texts: mediaTexts },
  MediaDetached: {
    label: 'Lost what it was attached to',
    describe: ({ inherited }) =>
      `deleted what it was attached to${inherited === undefined ? '' : `; it stays ${inherited}`}`,
  },
  MediaDerived: {
    label: 'Made from another image',
    describe: ({ source, steps }, names) => `made it from ${names.title(`media-${source}`)}: ${editTold(steps)}`,
  },
  MediaSizesMade: {
    label: 'Sizes made',
    describe: ({ sizes }) => `made ${sizes.length === 1 ? 'a smaller size' : `${sizes.length} smaller sizes`}`,
  },
  MediaMadePrivate: { label: 'Made private', describe: () => 'made it private' },
  MediaReleased: { label: 'No longer private', describe: () => 'made it as open as what it is attached to' },
  MediaDeleted: { label: 'Deleted', describe: () => 'deleted' },
  MediaErased: {
    label: 'Erased',
    describe: (order, names) => `had its file and texts erased${orderedBy(order, names)}`,
  },

  ...commentTellings,

  ...noteTellings,
};

const summaries: ReadonlyMap<string, EventSummary<unknown>> = new Map([
  ...(Object.entries(eventSummaries) as [string, EventSummary<unknown>][]),
  ...pluginEvents.map((definition) => [definition.type, plainSummary(definition)] as const),
]);

/** The wording for an event type; throws for an unknown type. */
export function summaryOf(type: string): EventSummary<unknown> {
  const found =
    summaries.get(type) ?? (isOfPackage(type) ? plainSummary({ type, sealed: [], summary: '' }) : undefined);
  if (found === undefined) throw new Error(`there is no event type ${type}`);
  return found;
}

function plainSummary({
  type,
  sealed,
  summary,
}: Pick<EventDefinition, 'type' | 'sealed' | 'summary'>): EventSummary<unknown> {
  const [name = '', plugin] = type.split('.').reverse();
  const label = `${name.charAt(0)}${inWords(name.slice(1))}${plugin === undefined ? '' : ` (${plugin})`}`;
  // The first sentence says what happened; a name alone would puzzle whoever never asked for the plugin.
  const sentence = `${summary.charAt(0).toLowerCase()}${summary.slice(1).replace(/[.;].*/s, '')}`;
  const told = sentence === '' ? ` “${label}”` : `: ${sentence}`;
  return {
    label,
    describe: (data) => {
      const open = Object.entries(data as object).filter(([name]) => !sealed.includes(name));
      const described = open.map(([name, value]) => shortly(`${inWords(name)} ${plainly(value)}`)).join(', ');
      return `recorded${told}${described === '' ? '' : ` (${described})`}`;
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

const groups: readonly (Omit<EventGroup, 'types'> & { readonly holds: (type: string) => boolean })[] = [
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

/** An item that had been deleted. */
const broughtBack = 'brought it back after its deletion';

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

function quoted(text: string): string {
  return text === '' ? '(none)' : `“${text}”`;
}

function size(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024).toLocaleString('en')} KiB`;
}

function editTold(steps: readonly EditStep[]): string {
  const described = steps.map(({ type, args }) =>
    type === 'crop' ? 'cropped' : type === 'rotate' ? `turned by ${args.angle}°` : 'mirrored',
  );
  return described.join(', ');
}
