import { formatByPattern } from '#domain/time/pattern.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { permalink } from '#site/addresses/entries.ts';
import { termLink } from '#site/addresses/terms.ts';
import { avatars, userLink } from '#site/addresses/users.ts';
import { termsByName } from '#site/entries/classes.ts';
import { entrySummary, firstWords, pictureOf, titleOf } from '#site/rendering/fragments.ts';
import { plain } from '#site/rendering/texts.ts';
import { html } from '#text/html.ts';
import { isRecord } from '#text/shapes.ts';
import { metaOf } from '../../kit/meta.ts';
import { type Arguments, argument, isOn, linked } from './arguments.ts';
import type { Asking } from './sources.ts';

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

export interface SiteFilling extends Asking {
  readonly args: Arguments;
}

export interface EntryFilling extends SiteFilling {
  readonly row: EntryRow;
  readonly isLocked: boolean;
}

export const dynamicSiteFields: ReadonlyMap<string, DynamicField<SiteFilling>> = new Map([
  ['site-tagline', siteText('Site Tagline', ({ model }) => model.site().description)],
  ['site-title', siteText('Site Title', ({ model }) => model.site().name)],
  ['site-url', { title: 'Site URL', group: 'Site', type: 'link', value: (f) => linkValue(f.model.site().url, f.args) }],
]);

const group = { post: 'Post', author: 'Author', comment: 'Comment', media: 'Media' };
const text = (title: string, of: string, value: (filling: EntryFilling) => string): DynamicField<EntryFilling> => ({
  ...{ title, group: of },
  value: (filling) => linked(value(filling), addressOf(filling, of), filling.args),
});
const date = (title: string, of: (row: EntryRow) => string): DynamicField<EntryFilling> => ({
  ...{ title, group: group.post },
  value: (filling) =>
    linked(dateText(of(filling.row), filling.args), permalink(filling.row, filling.model), filling.args),
});

export const entryFields: ReadonlyMap<string, DynamicField<EntryFilling>> = new Map([
  ['post-title', text('Post Title', group.post, ({ row }) => titleOf(row))],
  ['post-url', { ...link('Post URL', group.post), value: (f) => linkValue(permalink(f.row, f.model), f.args) }],
  ['post-id', text('Post ID', group.post, idText)],
  ['post-slug', text('Post Slug', group.post, ({ row }) => row.slug)],
  ['post-taxonomy', { title: 'Post Taxonomy', group: group.post, value: termsText }],
  ['post-excerpt', text('Post Excerpt', group.post, excerptText)],
  ['post-date', date('Post Date', (row) => row.date)],
  ['post-date-gmt', date('Post Date GMT', (row) => row.dateGmt ?? row.modifiedGmt)],
  ['post-modified', date('Post Modified', (row) => row.modified)],
  ['post-modified-gmt', date('Post Modified GMT', (row) => row.modifiedGmt)],
  ['post-type', text('Post Type', group.post, ({ row }) => row.kind)],
  ['post-status', text('Post Status', group.post, ({ row }) => row.status)],
  ['author-name', text('Author Name', group.author, (f) => authorOf(f)?.displayName ?? '')],
  ['author-id', text('Author ID', group.author, ({ row }) => String(row.author))],
  ['author-posts-url', { ...link('Author Posts URL', group.author), value: (f) => linkValue(authorLink(f), f.args) }],
  ['author-profile-picture', { ...image('Author Profile Picture', group.author), value: avatarUrl }],
  ['author-posts', text('Author Posts', group.author, (f) => String(authorOf(f)?.published ?? 0))],
  // Accounts have only one name.
  ['author-first-name', text('Author First Name', group.author, () => '')],
  ['author-last-name', text('Author Last Name', group.author, () => '')],
  ['comment-number', text('Comment Number', group.comment, () => '0')],
  ['comment-status', text('Comment Status', group.comment, ({ row }) => row.commentStatus)],
  ['featured-image-data', { ...image('Featured Image URL', group.media), value: imageUrl }],
]);

export function metaFields(row: EntryRow): ReadonlyMap<string, DynamicField<EntryFilling>> {
  const names = [...metaOf(row).keys()].filter((name) => !name.startsWith('_'));
  return new Map(
    names.map((name) => [
      name,
      {
        ...{ title: name, group: 'Custom Fields', data: { custom_field_type: 'meta' } },
        value: ({ row: own, isLocked }) => (isLocked ? '' : html`${metaText(metaOf(own).get(name))}`.markup),
      },
    ]),
  );
}

function siteText(title: string, of: (filling: SiteFilling) => string): DynamicField<SiteFilling> {
  return { title, group: 'Site', value: (filling) => linked(of(filling), filling.model.site().url, filling.args) };
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
  return of === group.author ? authorLink(filling) : permalink(filling.row, filling.model);
}

function idText({ row, args }: EntryFilling): string {
  const format = argument(args, 'format') ?? '';
  return isOn(args, 'has_format') && format !== '' ? format.replaceAll('%s', String(row.id)) : String(row.id);
}

function excerptText({ row, isLocked, model, args }: EntryFilling): string {
  if (isLocked) return '';
  const words = Number(argument(args, 'length') ?? 55);
  return firstWords(entrySummary(row, model), Number.isInteger(words) && words >= 0 ? words : 55);
}

function termsText({ row, model, args }: EntryFilling): string | null {
  const taxonomy = argument(args, 'term') ?? 'category';
  if (taxonomy !== 'category' && taxonomy !== 'post_tag') return null;
  const all = termsByName(taxonomy === 'category' ? row.categories : row.tags, model);
  const wanted = argument(args, 'display_option') ?? 'all';
  if (wanted !== 'all' && !/^(?:[1-9]|10)$/.test(wanted)) return null;
  const shown = wanted === 'all' ? all : all.slice(0, Number(wanted));
  const delimiter = html`${argument(args, 'delimiter') ?? ', '}`.markup;
  return shown.map((term) => linked(plain(term.name), termLink(term, model), args)).join(delimiter);
}

function imageUrl({ row, model, viewer, args }: EntryFilling): string {
  const picture = pictureOf(row.featuredMedia, argument(args, 'size') ?? 'full', { model, viewer });
  return picture === null ? '' : html`${picture.url}`.markup;
}

function avatarUrl(filling: EntryFilling): string {
  const author = authorOf(filling);
  const url = author === undefined ? '' : (avatars(author, filling.model.site().url)[96] ?? '');
  return html`${url}`.markup;
}

function authorOf({ row, model }: EntryFilling) {
  return model.user(row.author);
}

function authorLink(filling: EntryFilling): string {
  const author = authorOf(filling);
  return author === undefined ? '' : userLink(author, filling.model.site().url);
}

function metaText(value: unknown): string {
  return Array.isArray(value) || isRecord(value) ? JSON.stringify(value) : String(value ?? '');
}

function dateText(local: string, args: Arguments): string {
  const named = argument(args, 'format') ?? '';
  const pattern = named === 'custom' ? (argument(args, 'custom_format') ?? '') : named;
  return formatByPattern(local, (pattern === '' ? usual : pattern).slice(0, longest));
}
