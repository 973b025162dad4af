import type { z } from 'zod';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import type { Area } from '#domain/plugins/area.ts';
import type { AssetSlot, PageAsset, PluginMediaFiles, PluginReader } from './reader.ts';
import type { PluginReply } from './reply.ts';
import type { PluginRequest, PluginServer } from './server.ts';
import type { PluginView } from './view.ts';

export interface NewPluginToken {
  readonly name: string;
  /** Milliseconds since 1970; the token is good until the full second before. */
  readonly until: number;
  readonly publishes: boolean;
  /** The release in which what is written with it waits; absent: it is carried out at once. */
  readonly release?: number;
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
  /** 64 random hex digits. */
  newSecret(): string;
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
  /** What pages show of the site, as far as the caller may see it. */
  readonly view: PluginView;
  /** The same as far as everybody may see it. */
  readonly publicView: PluginView;
  /** Whether the caller may read an entry or a media item, and change an entry; false if it does not exist. */
  mayRead(item: number): boolean;
  mayEdit(entry: number): boolean;
  /** Custom fields of an entry, as `meta` of its record shows them. */
  fields(entry: number): ReadonlyMap<string, unknown>;
  mediaFiles(id: number): PluginMediaFiles | undefined;
}

/** Who may call a route: everyone, every user, or users with a right. */
export type PluginAccess = 'public' | 'user' | 'editPosts' | 'editOthers' | 'admin';

export interface PluginArg {
  /** Its type, default and description. */
  readonly schema: z.ZodType;
  readonly required?: true;
  /** Checked and documented, but not listed in the index. */
  readonly hidden?: true;
  /** The index lists it without its type, by which it is checked and converted nonetheless. */
  readonly untyped?: true;
  /** Neither checked nor converted, only described: the route checks it. */
  readonly unchecked?: true;
  /** The type for the documentation, where `schema` says less. */
  readonly sent?: z.ZodType;
  /** Checks a value other than null in place of `schema`, or after it if `untyped`; null if it is valid. */
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
  /** Content types of a response that is not JSON. */
  readonly types?: readonly string[];
  /** The route is there and documented, but not listed in the index. */
  readonly unlisted?: true;
  /** The answer contains a secret, so that it cannot be kept for an `Idempotency-Key`. */
  readonly unkept?: true;
} & (
  | { readonly query: (call: PluginCall<PluginReader>) => unknown | Refusal | Promise<unknown | Refusal> }
  | {
      /** Slow work before the commit. */
      readonly prepare?: (call: PluginCall<PluginReader>, images: Pick<ImageCutter, 'cut'>) => Promise<void>;
      readonly command: (call: PluginCall<PluginSession>, images: Pick<ImageCutter, 'address'>) => unknown | Refusal;
      /** Its commit names no user, whoever is logged in. */
      readonly asAnonymous?: true;
    }
  | {
      readonly due: (call: PluginCall<PluginReader>) => boolean;
      readonly begin: (call: PluginCall<PluginSession>) => void;
      readonly query: (call: PluginCall<PluginReader>) => unknown | PluginReply;
    }
);

/** Makes sizes of images, which are cut from the middle. */
export interface ImageCutter {
  /** Cuts a size, unless the image has it or too many others. */
  cut(media: number, size: Dimensions): Promise<void>;
  /** Address of an image in a size that it has or that was cut, which then belongs to the image; null: there is none. */
  address(media: number, size: Dimensions): string | null;
}
