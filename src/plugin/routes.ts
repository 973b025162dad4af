import type { z } from 'zod';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Area } from '#domain/plugins/area.ts';
import type { AssetKind, AssetVariant } from '#domain/plugins/page-assets/slots.ts';
import type { PluginReply } from './reply.ts';
import type { PluginRequest, PluginServer } from './server.ts';

/** Read access to the site for plugins, at one position of the log. */
export interface PluginReader {
  readonly position: number;
  site(): PluginSite;
  user(id: number): PluginUser | undefined;
  users(): readonly PluginUser[];
  entry(id: number): PluginEntry | undefined;
  /** The stored texts of an entry, as its editors see them. */
  texts(id: number): { readonly content: string; readonly excerpt: string } | undefined;
  /** Published entries of a kind, the newest first. Sees what is committed. */
  published(query: PublishedQuery): readonly PluginEntry[];
  /** Public media items, the newest first. Sees what is committed. */
  media(query: MediaQuery): readonly PluginMedia[];
  /** A document of an area; `key` is for areas with several. */
  document<S, E extends DomainEvent>(area: Area<S, E>, key?: string): S;
  /** All non-empty documents of an area, by key. */
  documents<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S>;
  /** Ids of all media items of these content types, in ascending order. Sees what is committed. */
  mediaIds(types: readonly string[]): readonly number[];
  /** Published pages that wait for an asset of this kind; at most 500 places. */
  waitingAssets(kind: AssetKind): readonly AssetSlot[];
  /** The assets of a page, by kind and variant: `ccss desktop`. */
  assets(entry: number): Readonly<Record<string, PageAsset>>;
  /** Address of the interface, or of a namespace such as `cms/v2`; without a slash at its end. */
  interfaceUrl(namespace?: string): string;
  /** The tokens with which programs act for a user, or for all users. */
  tokens(user?: number): readonly PluginToken[];
  /** A document of another plugin's area, by the name of the area; undefined if no plugin with that area is loaded. */
  documentOf(area: string, key?: string): unknown;
}

export interface PluginSite {
  readonly url: string;
  /** Address that the operator gave, which `url` replaces while a switch for https or `www.` is on. */
  readonly configuredUrl: string;
  readonly name: string;
  readonly description: string;
  readonly timezone: string;
  /** False before the first commit that configures the site. */
  readonly isConfigured: boolean;
}

export interface PluginUser {
  readonly id: number;
  readonly slug: string;
  readonly displayName: string;
  /** UTC, ISO 8601. */
  readonly registered: string;
}

/** An entry of any visibility: check `status` and `isProtected` before showing it. */
export interface PluginEntry {
  readonly id: number;
  /** Such as `post` or `page`. */
  readonly kind: string;
  readonly status: string;
  readonly slug: string;
  readonly title: string;
  /** User id. */
  readonly author: number;
  /** Whether reading it requires a password. */
  readonly isProtected: boolean;
}

export interface PublishedQuery {
  readonly kind: string;
  /** Only entries with this term. */
  readonly term?: { readonly taxonomy: string; readonly slug: string };
  readonly limit: number;
}

export interface MediaQuery {
  /** Beginning of the content type, such as `image/`. */
  readonly type: string;
  readonly limit: number;
}

export interface PluginMedia {
  readonly id: number;
  /** Content type. */
  readonly type: string;
  readonly slug: string;
  readonly title: string;
  /** User id. */
  readonly author: number;
}

export interface MediaFile {
  readonly name: string;
  /** Name of the size; null: the image itself, or the one that is shown in its place. */
  readonly size: string | null;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly bytes: number;
}

/** The files of a media item that pages show. */
export interface PluginMediaFiles {
  readonly id: number;
  readonly type: string;
  readonly isPrivate: boolean;
  /** Below the folder of uploads. */
  readonly path: string;
  /** Empty if it is no image; the first one is the image itself. */
  readonly files: readonly MediaFile[];
}

export interface AssetSlot {
  readonly entry: number;
  readonly kind: AssetKind;
  readonly variant: AssetVariant;
}

export interface PageAsset {
  /** The page that was analysed. */
  readonly url: string;
  /** A style sheet, or addresses of images. */
  readonly data: string | readonly string[];
}

export interface PluginToken {
  readonly id: string;
  /** User id. */
  readonly user: number;
  readonly name: string;
  /** These times are UTC, ISO 8601 with milliseconds. */
  readonly created: string;
  readonly until: string;
  /** Null: never, or unknown. */
  readonly lastUsed: string | null;
  /** Whether it may publish, and change what is published. */
  readonly publishes: boolean;
  /** Whether a text is this token; the server itself knows only a digest. */
  readonly is: (token: string) => boolean;
}

export interface NewPluginToken {
  readonly name: string;
  /** Milliseconds since 1970; the token is good until the full second before. */
  readonly until: number;
  readonly publishes: boolean;
  /** 64 hex digits, the end of the token; default: random. */
  readonly signature?: string;
}

export interface ListedPlugin {
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
}

export interface PluginTheme {
  readonly slug: string;
  readonly name: string;
  readonly fonts: readonly string[];
}

/** The site within a request that writes, including what it has staged. */
export interface PluginSession extends PluginReader {
  /** Time of the commit: UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  /** The same time in the time zone of the site: `2026-03-01T23:15:00`. */
  readonly local: string;
  /** Adds events to the request's commit. */
  stage<S, E extends DomainEvent>(area: Area<S, E>, events: readonly E[]): void;
  /** Whether the request has staged anything. */
  readonly hasStaged: boolean;
  /** Whether a request was kept under this key within the last day, on any node. */
  isKept(key: string): boolean;
  /** Keeps in the commit that a request was carried out, with its answer. */
  keep(key: string, answer: unknown): void;
  /** Stores an asset, so that the page no longer waits for it; null: there is none. */
  storeAsset(slot: AssetSlot, asset: PageAsset | null): void;
  /** Makes a token with which a program acts for a user: `<user>.<expiry in seconds since 1970>.<64 hex digits>`. */
  issueToken(user: number, token: NewPluginToken): { readonly id: string; readonly token: string } | Refusal;
  withdrawToken(user: number, id: string): void;
  /** Switches a plugin on. Only the shop can be off. */
  activatePlugin(slug: string): void;
  /** Adds a theme to those that the site can use. */
  installTheme(theme: PluginTheme): void;
  switchTheme(slug: string): void;
}

/** A validated and authorised request. */
export interface PluginCall<M> {
  readonly model: M;
  /** User id; 0: anonymous. */
  readonly user: number;
  readonly role: string | null;
  /** Whether the caller has the right that a route with this `access` requires. */
  may(access: PluginAccess): boolean;
  /** Time of the request in milliseconds since 1970. */
  readonly now: number;
  /** Validated and converted, with the defaults of their schemas. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The operator's settings of the plugin; `schema` is the `settings` of its definition. */
  settings<S extends z.ZodType>(schema: S): z.output<S>;
  /** The value of one of the `secrets` of the plugin's definition; null if it is not set. */
  secret(name: string): string | null;
  /** What `create` made when this server process first called it. For what may be lost, such as limits. */
  memory<T>(create: () => T): T;
  readonly request: PluginRequest;
  readonly server: PluginServer;
  /** The plugins of the site, as the interface lists them. */
  plugins(): readonly ListedPlugin[];
  /** The themes that the site can use. */
  themes(): readonly PluginTheme[];
  /** The theme in use. */
  theme(): PluginTheme | undefined;
  /** Address of an entry; undefined if it does not exist. */
  address(entry: number): string | undefined;
  mediaFiles(id: number): PluginMediaFiles | undefined;
  /** Title and content of a public entry as plain text, as visitors see them; undefined for all others. */
  plainText(entry: number): { readonly title: string; readonly content: string } | undefined;
}

/** Who may call a route: everyone, every user, or users with a right. */
export type PluginAccess = 'public' | 'user' | 'editPosts' | 'editOthers' | 'admin';

export interface PluginArg {
  /** Its type, default and description. */
  readonly schema: z.ZodType;
  readonly required?: true;
  /** Checked and documented, but not listed in the index. */
  readonly hidden?: true;
  /** Neither checked nor converted, only described: the route checks it. */
  readonly unchecked?: true;
  /** The type for the documentation, where `schema` says less. */
  readonly sent?: z.ZodType;
  /** Checks a value other than null in place of `schema`; null if it is valid. */
  readonly check?: (value: unknown) => PluginFault | null;
}

export interface PluginFault {
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * A route of a plugin. It returns a value to send as JSON, a `reply`, or a refusal. The events staged by a `command` form one commit. A
 * `query` with `due` shows what `begin` stages when it is first asked for; only requests for which `due` is true write.
 */
export type PluginRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the namespace; `(?P<id>[\d]+)` is a parameter. */
  readonly path: string;
  /** One line for the documentation. */
  readonly summary: string;
  /** A function returns null, or why the request is refused. */
  readonly access: PluginAccess | ((call: PluginCall<PluginReader>) => Refusal | null);
  readonly args?: Readonly<Record<string, PluginArg>>;
  /** Schema of a successful response. */
  readonly answers: z.ZodType;
  /** The route is there and documented, but not listed in the index. */
  readonly unlisted?: true;
  /** The answer contains a secret, so that it cannot be kept for an `Idempotency-Key`. */
  readonly unkept?: true;
} & (
  | { readonly query: (call: PluginCall<PluginReader>) => unknown | Refusal | Promise<unknown | Refusal> }
  | {
      readonly command: (call: PluginCall<PluginSession>) => unknown | Refusal;
      /** Its commit names no user, whoever is logged in. */
      readonly asAnonymous?: true;
    }
  | {
      readonly due: (call: PluginCall<PluginReader>) => boolean;
      readonly begin: (call: PluginCall<PluginSession>) => void;
      readonly query: (call: PluginCall<PluginReader>) => unknown | PluginReply;
    }
);
