import {
  type EntryView,
  formatByPattern,
  html,
  type PluginCall,
  type PluginEntry,
  type PluginReader,
} from 'palimpsest/plugin';
import { firstWordsOf, isMember } from '../fields.ts';
import { type Arguments, argument, isOn, linked } from './arguments.ts';

const usual = 'F j, Y';

const longest = 100;

export interface DynamicField<F> {
  readonly title: string;
  readonly group: string;
  /** `link` or `image-url`; absent: text. */
  readonly type?: 'link' | 'image-url';
  readonly data?: Readonly<Record<string, unknown>>;
  /** Its value as HTML; null if the arguments are invalid. */
  readonly value: (filling: F) => string | null;
}

export interface SiteFilling {
  readonly call: PluginCall<PluginReader>;
  readonly args: Arguments;
}

export interface EntryFilling extends SiteFilling {
  readonly entry: PluginEntry;
  readonly seen: EntryView;
  readonly isLocked: boolean;
}

export const dynamicSiteFields: ReadonlyMap<string, DynamicField<SiteFilling>> = new Map([
  ['site-tagline', siteText('Site Tagline', ({ call }) => call.model.site().description)],
  ['site-title', siteText('Site Title', ({ call }) => call.model.site().name)],
  [
    'site-url',
    { title: 'Site URL', group: 'Site', type: 'link', value: (f) => linkValue(f.call.model.site().url, f.args) },
  ],
]);

const group = { post: 'Post', author: 'Author', comment: 'Comment', media: 'Media' };
const text = (title: string, of: string, value: (filling: EntryFilling) => string): DynamicField<EntryFilling> => ({
  title,
  group: of,
  value: (filling) => linked(value(filling), addressOf(filling, of), filling.args),
});
const date = (title: string, of: (entry: PluginEntry) => string): DynamicField<EntryFilling> => ({
  title,
  group: group.post,
  value: (filling) => linked(dateText(of(filling.entry), filling.args), filling.seen.address, filling.args),
});

export const entryFields: ReadonlyMap<string, DynamicField<EntryFilling>> = new Map([
  ['post-title', text('Post Title', group.post, ({ seen }) => seen.title)],
  ['post-url', { ...link('Post URL', group.post), value: (f) => linkValue(f.seen.address, f.args) }],
  ['post-id', text('Post ID', group.post, idText)],
  ['post-slug', text('Post Slug', group.post, ({ entry }) => entry.slug)],
  ['post-taxonomy', { title: 'Post Taxonomy', group: group.post, value: termsText }],
  ['post-excerpt', text('Post Excerpt', group.post, excerptText)],
  ['post-date', date('Post Date', (entry) => entry.date)],
  ['post-date-gmt', date('Post Date GMT', (entry) => entry.dateGmt ?? entry.modifiedGmt)],
  ['post-modified', date('Post Modified', (entry) => entry.modified)],
  ['post-modified-gmt', date('Post Modified GMT', (entry) => entry.modifiedGmt)],
  ['post-type', text('Post Type', group.post, ({ entry }) => entry.kind)],
  ['post-status', text('Post Status', group.post, ({ entry }) => entry.status)],
  ['author-name', text('Author Name', group.author, (f) => authorOf(f)?.displayName ?? '')],
  ['author-id', text('Author ID', group.author, ({ entry }) => String(entry.author))],
  ['author-posts-url', { ...link('Author Posts URL', group.author), value: (f) => linkValue(authorLink(f), f.args) }],
  ['author-profile-picture', { ...image('Author Profile Picture', group.author), value: avatarUrl }],
  ['author-posts', text('Author Posts', group.author, (f) => String(authorOf(f)?.published ?? 0))],
  [
    'author-first-name',
    text('Author First Name', group.author, (f) => f.call.view.user(f.entry.author)?.firstName ?? ''),
  ],
  ['author-last-name', text('Author Last Name', group.author, (f) => f.call.view.user(f.entry.author)?.lastName ?? '')],
  ['comment-number', text('Comment Number', group.comment, ({ seen }) => String(seen.comments))],
  ['comment-status', text('Comment Status', group.comment, ({ entry }) => entry.commentStatus)],
  ['featured-image-data', { ...image('Featured Image URL', group.media), value: imageUrl }],
]);

export function metaFields(
  entry: number,
  { fields }: PluginCall<PluginReader>,
): ReadonlyMap<string, DynamicField<EntryFilling>> {
  const names = [...fields(entry).keys()].filter((name) => !name.startsWith('_'));
  return new Map(
    names.map((name) => [
      name,
      {
        title: name,
        group: 'Custom Fields',
        data: { custom_field_type: 'meta' },
        value: ({ entry: own, isLocked, call }) =>
          isLocked ? '' : html`${metaText(call.fields(own.id).get(name))}`.markup,
      },
    ]),
  );
}

function siteText(title: string, of: (filling: SiteFilling) => string): DynamicField<SiteFilling> {
  return { title, group: 'Site', value: (filling) => linked(of(filling), filling.call.model.site().url, filling.args) };
}

function link(title: string, of: string) {
  return { title, group: of, type: 'link' } as const;
}

function image(title: string, of: string) {
  return { title, group: of, type: 'image-url' } as const;
}

function linkValue(address: string, args: Arguments): string | null {
  if (!isOn(args, 'with_link')) return html`${address}`.markup;
  const label = argument(args, 'text') ?? '';
  return label === '' ? null : linked(label, address, args);
}

function addressOf(filling: EntryFilling, of: string): string {
  return of === group.author ? authorLink(filling) : filling.seen.address;
}

function idText({ entry, args }: EntryFilling): string {
  const format = argument(args, 'format') ?? '';
  return isOn(args, 'has_format') && format !== '' ? format.replaceAll('%s', String(entry.id)) : String(entry.id);
}

function excerptText({ seen, isLocked, args }: EntryFilling): string {
  if (isLocked) return '';
  const words = Number(argument(args, 'length') ?? 55);
  return firstWordsOf(seen.summary(), Number.isInteger(words) && words >= 0 ? words : 55);
}

function termsText({ seen, args }: EntryFilling): string | null {
  const taxonomy = argument(args, 'term') ?? 'category';
  if (taxonomy !== 'category' && taxonomy !== 'post_tag') return null;
  const all = seen.terms(taxonomy);
  const wanted = argument(args, 'display_option') ?? 'all';
  if (wanted !== 'all' && !/^(?:[1-9]|10)$/.test(wanted)) return null;
  const shown = wanted === 'all' ? all : all.slice(0, Number(wanted));
  const delimiter = html`${argument(args, 'delimiter') ?? ', '}`.markup;
  return shown.map((term) => linked(term.name, term.address, args)).join(delimiter);
}

function imageUrl({ entry, call, args }: EntryFilling): string {
  const picture = call.view.image(entry.image, argument(args, 'size') ?? 'full');
  return picture === null ? '' : html`${picture.url}`.markup;
}

function avatarUrl({ entry, call }: EntryFilling): string {
  return html`${call.view.user(entry.author)?.pictureUrl ?? ''}`.markup;
}

function authorOf({ entry, call }: EntryFilling) {
  return call.model.user(entry.author);
}

function authorLink({ entry, call }: EntryFilling): string {
  return call.view.user(entry.author)?.address ?? '';
}

function metaText(value: unknown): string {
  return Array.isArray(value) || isMember(value) ? JSON.stringify(value) : String(value ?? '');
}

function dateText(local: string, args: Arguments): string {
  const named = argument(args, 'format') ?? '';
  const pattern = named === 'custom' ? (argument(args, 'custom_format') ?? '') : named;
  return formatByPattern(local, (pattern === '' ? usual : pattern).slice(0, longest));
}
