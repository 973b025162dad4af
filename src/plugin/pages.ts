import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Area } from '#domain/plugins/area.ts';
import type { PluginReader } from './reader.ts';

/** A page for administrators among those of the audit, at `/cms-audit/<path>`. */
export interface PluginPage {
  readonly path: string;
  /** Its name in the navigation. */
  readonly title: string;
  /** The contents of the page, beginning with an `h1`. */
  readonly show: (call: PageCall) => PluginHtml;
}

export interface PageCall {
  readonly model: PluginReader;
  /** A point in time (ISO 8601) by the clock of the site. */
  readonly time: (at: string) => PluginHtml;
  /** The newest events of an area, the last one first; sealed fields of erased ones have the values of `erased`. */
  latest<S, E extends DomainEvent>(
    area: Area<S, E>,
    limit: number,
  ): readonly { readonly at: string; readonly event: E }[];
}

/** HTML as `html` makes it. */
export interface PluginHtml {
  readonly markup: string;
  readonly pieces: readonly string[];
}
