import { z } from 'zod';
import type { Area } from '#domain/plugins/area.ts';
import type { HiddenPage } from './hidden-pages.ts';
import type { PluginJob } from './jobs.ts';
import type { PluginPage } from './pages.ts';
import type { PluginReaction } from './reactions.ts';
import type { PluginReader } from './reader.ts';
import type { PluginAccess, PluginRoute } from './routes.ts';

/** Version of the interface between `palimpsest/plugin` and the server. */
export const apiVersion = 1;

/** First segments of namespaces of the server itself. */
export const takenNames: readonly string[] = [
  ...['batch', 'cms', 'cms-block-editor', 'cms-site-health', 'contact-forms'],
  ...['host-tools-plugin', 'oembed', 'webhooks'],
];

/**
 * The export `plugin` of a package. A plugin has no process of its own: a command would have to leave the transaction that it is part of.
 * Its events outlive it: their types contain a dot, so that those of an absent plugin are skipped, and those of a newer program are not.
 *
 * Why, and what was rejected: `docs/adr/0048-plugins-are-packages.md`.
 */
export interface Plugin {
  /** Prefix of its areas, event types and namespaces. */
  readonly name: string;
  readonly areas: readonly Area[];
  readonly namespaces: readonly PluginNamespace[];
  readonly reactions: readonly PluginReaction[];
  readonly pages: readonly PluginPage[];
  readonly hiddenPages: readonly HiddenPage[];
  /** What the operator may set: members of `PLUGIN_SETTINGS`, each with a default. */
  readonly settings?: z.ZodObject;
  /** Names of environment variables with secrets, of at least 16 characters each. */
  readonly secrets: readonly string[];
  /** How the interface lists it; absent: it does not. */
  readonly listed?: { readonly slug: string; readonly name: string; readonly first?: true };
  readonly jobs: readonly (() => PluginJob)[];
  /** Whether a network delivers the site, so that media have its address. */
  readonly delivers?: (model: Documents) => boolean;
  /** Ids of the crawlers that are paused. */
  readonly pausedCrawlers?: (model: Documents) => readonly number[];
  /** Other forms of the files of a media item, which are sent to clients that accept their type. */
  readonly fileForms?: (model: Documents, media: number) => readonly FileForm[];
  /** Style rules of blocks, for the page of an entry or for what is around the contents of all pages. */
  readonly pageStyles?: (model: Pick<PluginReader, 'document' | 'texts'>, place: StyledPlace) => readonly StyleRule[];
  /** What the demonstration site asks of it after its `post`th post: requests, with paths below the root of the interface. */
  readonly demo?: (post: number, about: { readonly page: string; readonly place: string }) => readonly DemoRequest[];
  /** Whether programs may act for users with tokens. They may if any plugin says so. */
  readonly takesTokens?: (model: PluginReader) => boolean;
}

export interface DemoRequest {
  readonly path: string;
  readonly body: object;
}

export type Documents = Pick<PluginReader, 'document'>;

/** An entry, or what is above and below the content of every page. */
export type StyledPlace = { readonly entry: number } | 'around';

/** A rule that applies only inside its place; the server leaves out what could reach further. */
export interface StyleRule {
  readonly selector: string;
  /** Names, also in camel case, and values. */
  readonly declarations: readonly (readonly [string, string | number])[];
  /** In pixels: only for windows that are no wider. */
  readonly maxWidth?: number;
}

export interface FileForm {
  /** SHA-256 of the file that it can replace. */
  readonly of: string;
  readonly hash: string;
  readonly type: string;
  readonly bytes: number;
}

/** Routes below `<name>/v<number>`. */
export interface PluginNamespace {
  readonly name: string;
  readonly routes: readonly PluginRoute[];
}

/** An object with no other members: one that is misspelt would have no effect, without a word. */
function members<S extends z.core.$ZodLooseShape>(of: S) {
  return z.strictObject(of, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no member ${(issue.keys as string[]).join(', ')}; it may have ${Object.keys(of).join(', ')}`
        : undefined,
  });
}

const callable = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'has to be a function',
);
const schema = z.custom<z.ZodType>((value) => value instanceof z.ZodType, 'has to be a schema made with `z`');
const text = z.string().min(1);
const accesses = ['public', 'user', 'editPosts', 'editOthers', 'admin'] as const satisfies readonly PluginAccess[];
const access = z.union([z.enum(accesses), callable], { error: `has to be ${accesses.join(', ')} or a function` });

const eventDefinition = members({
  type: z.string().regex(/^[a-z][a-z0-9-]*\.[A-Z]\w*$/, 'has to be like guestbook.Signed'),
  v: z.int().min(1),
  summary: text,
  schema,
  sealed: z.array(z.string()),
  erased: z.record(z.string(), z.unknown()),
  subjects: callable,
  files: callable.optional(),
  upcasters: z.array(callable),
  sealsEach: z.literal(false),
  ordersErasure: z.literal(false),
});

const area = members({
  name: z.string().regex(/^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/, 'has to be like guestbook.book'),
  stream: z.string(),
  version: z.int().min(1).optional(),
  notes: z.array(z.string()).optional(),
  events: z.array(eventDefinition).min(1),
  empty: z.unknown(),
  keysOf: callable,
  evolve: callable,
});

const args = members({
  schema,
  required: z.boolean().optional(),
  hidden: z.boolean().optional(),
  untyped: z.boolean().optional(),
  unchecked: z.boolean().optional(),
  sent: schema.optional(),
  check: callable.optional(),
});

const route = members({
  method: z.enum(['GET', 'POST', 'DELETE']),
  path: z.string().regex(/^[^/\s][^\s]*$/, 'has to be a path without a slash before it'),
  summary: text,
  access,
  args: z.record(z.string(), args).optional(),
  answers: schema,
  query: callable.optional(),
  command: callable.optional(),
  due: callable.optional(),
  begin: callable.optional(),
  prepare: callable.optional(),
  types: z.array(text).optional(),
  unlisted: z.boolean().optional(),
  unkept: z.boolean().optional(),
  asAnonymous: z.boolean().optional(),
})
  .refine(
    ({ due, begin, command }) => (due === undefined) === (begin === undefined || command !== undefined),
    'needs both `due` and `begin`, with a query',
  )
  .refine(({ prepare, command }) => prepare === undefined || command !== undefined, 'needs a command after `prepare`')
  .refine(({ query, command }) => (query === undefined) !== (command === undefined), 'needs a query or a command')
  .refine(({ command }) => command?.constructor.name !== 'AsyncFunction', 'has a command that is async');

const reaction = members({ to: z.array(text).min(1), react: callable });

const page = members({
  path: z.string().regex(/^[a-z][a-z0-9-]*$/, 'has to be a word'),
  title: text,
  show: callable,
});

const namespace = members({
  name: z.string().regex(/^[a-z][a-z0-9-]*\/v\d+$/, 'has to be like guestbook/v1'),
  routes: z.array(route).min(1),
});

const shape = members({
  apiVersion: z.literal(apiVersion, {
    error: ({ input }) => `this server has version ${apiVersion} of palimpsest/plugin, not ${String(input)}`,
  }),
  name: z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'has to be 2 to 40 small letters, digits and hyphens'),
  areas: z.array(area),
  namespaces: z.array(namespace),
  reactions: z.array(reaction),
  pages: z.array(page),
  hiddenPages: z.array(members({ path: text, show: callable })),
  secrets: z.array(z.string().regex(/^[A-Z][A-Z0-9_]*_SECRET$/, 'has to be like GUESTBOOK_SECRET')),
  listed: members({
    slug: z.string().regex(/^[a-z][a-z0-9-]*$/, 'has to be a word'),
    name: text,
    first: z.boolean().optional(),
  }).optional(),
  demo: callable.optional(),
  takesTokens: callable.optional(),
  jobs: z.array(callable),
  delivers: callable.optional(),
  pausedCrawlers: callable.optional(),
  fileForms: callable.optional(),
  pageStyles: callable.optional(),
  settings: z.instanceof(z.ZodObject, { error: 'has to be made with `z.object`' }).optional(),
}).superRefine((plugin, context) => {
  const names = [
    ...plugin.areas.flatMap(({ name, events }) => [name, ...events.map(({ type }) => type)]),
    ...plugin.namespaces.map(({ name }) => name),
  ];
  const own = [
    ...plugin.pages.map(({ path }) => [path, `${plugin.name}-`] as const),
    ...plugin.hiddenPages.map(({ path }) => [path.replace(/\/.*/s, ''), `${plugin.name}-`] as const),
    ...plugin.secrets.map((name) => [name, `${plugin.name.replaceAll('-', '_').toUpperCase()}_`] as const),
    ...[plugin.listed?.slug ?? plugin.name].map((slug) => [slug, `${plugin.name}-`] as const),
  ];
  for (const [name, prefix] of own) {
    const begins = name === plugin.name || name.startsWith(prefix);
    if (!begins) context.addIssue({ code: 'custom', message: `${name} does not begin with ${prefix}` });
  }
  for (const [i, name] of names.entries()) {
    const begins = name.startsWith(`${plugin.name}.`) || name.startsWith(`${plugin.name}/`);
    if (!begins) context.addIssue({ code: 'custom', message: `${name} does not begin with ${plugin.name}` });
    else if (names.indexOf(name) < i) context.addIssue({ code: 'custom', message: `${name} is there twice` });
  }
});

/** Validates the export of a package; `names` are those of other plugins. */
export function pluginShape(names: readonly string[]): z.ZodType {
  const isFree = (name: string) => !takenNames.includes(name) && !names.includes(name);
  return shape.refine(({ name }) => isFree(name), { path: ['name'], message: 'is taken by the server' });
}
