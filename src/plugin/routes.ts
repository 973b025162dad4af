import type { z } from 'zod';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Area } from '#domain/plugins/area.ts';

/** The site as a plugin reads it, at one position of the log. */
export interface PluginReader {
  readonly position: number;
  site(): { readonly url: string; readonly name: string; readonly description: string; readonly timezone: string };
  user(id: number): { readonly id: number; readonly slug: string; readonly displayName: string } | undefined;
  entry(id: number): PluginEntry | undefined;
  /** A document of an area; `key` where the area has several. */
  document<S, E extends DomainEvent>(area: Area<S, E>, key?: string): S;
  /** All documents of an area that are not empty, by key. */
  documents<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S>;
}

/** Whoever may see it: look at `status` and `isProtected` before showing it to others. */
export interface PluginEntry {
  readonly id: number;
  /** `post`, `page` and so on. */
  readonly kind: string;
  readonly status: string;
  readonly slug: string;
  readonly title: string;
  /** User id. */
  readonly author: number;
  /** Whether reading it takes a password. */
  readonly isProtected: boolean;
}

/** The same within a request that writes: it sees what it has staged itself. */
export interface PluginSession extends PluginReader {
  /** Time of the commit: UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  /** Adds events to the commit of the request. */
  stage<S, E extends DomainEvent>(area: Area<S, E>, events: readonly E[]): void;
}

/** A request that passed all checks. */
export interface PluginCall<M> {
  readonly model: M;
  /** 0: nobody is logged in. */
  readonly user: number;
  readonly role: string | null;
  /** Checked, converted, and with the defaults of their schemas. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Everybody, every user, or users with a right. */
export type PluginAccess = 'public' | 'user' | 'editPosts' | 'editOthers' | 'admin';

/** One route of a plugin. It returns what is sent as JSON, or a refusal. What a `command` stages is one commit. */
export type PluginRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the namespace; `(?P<id>[\d]+)` is a parameter. */
  readonly path: string;
  /** One line for the documentation. */
  readonly summary: string;
  readonly access: PluginAccess;
  readonly args?: Readonly<Record<string, { readonly schema: z.ZodType; readonly required?: true }>>;
  /** What it sends when all goes well. */
  readonly answers: z.ZodType;
} & (
  | { readonly query: (call: PluginCall<PluginReader>) => unknown | Refusal | Promise<unknown | Refusal> }
  | { readonly command: (call: PluginCall<PluginSession>) => unknown | Refusal }
);
