import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofTheSite } from '#domain/kernel/subject.ts';
import { defineArea, onlyKey } from '../plugins/area.ts';

const map = limited.sized(z.record(z.string(), z.unknown()));

const SiteStylesChanged = defineEvent({
  type: 'SiteStylesChanged',
  summary: 'The styles that editors set for all pages of the site were changed; only changed ones are recorded.',
  schema: z.object({
    revision: z.int().min(1).describe('number of the change'),
    author: z.int().min(0).describe('user who made it'),
    title: limited.title.exactOptional(),
    settings: map.exactOptional().describe('what editors offer: colours, fonts, widths'),
    styles: map.exactOptional().describe('how elements and blocks look'),
  }),
  sealed: ['title', 'settings', 'styles'],
  erased: { title: '', settings: {}, styles: {} },
  subjects: ofTheSite,
});

type Changed = EventOf<typeof SiteStylesChanged>;

/** Styles set by editors; absent members were never set. */
export type StyleFields = Pick<Changed['data'], 'title' | 'settings' | 'styles'>;

export interface SiteStyles extends StyleFields {
  /** Number of the change; under `onlyKey` that of the last change, 0 if there was none. */
  readonly revision: number;
  readonly author: number;
  /** Time of the change: UTC, ISO 8601 with milliseconds. */
  readonly at: string;
}

const none: SiteStyles = { revision: 0, author: 0, at: '' };

export const siteStyles = defineArea({
  name: 'site-styles',
  events: [SiteStylesChanged],
  empty: none,
  keysOf: ({ data }) => [onlyKey, changeKey(data.revision)],
  evolve: (before, { data }, { at }) => ({ ...before, ...data, at }),
});

export function changeKey(revision: number): string {
  return `change-${revision}`;
}

/** Records the given fields that differ; no events if none does. */
export function changeStyles(before: SiteStyles, wanted: StyleFields, author: number): readonly Changed[] {
  const names = (['title', 'settings', 'styles'] as const).filter(
    (name) => wanted[name] !== undefined && JSON.stringify(wanted[name]) !== JSON.stringify(before[name]),
  );
  if (names.length === 0) return [];
  const changed: StyleFields = Object.fromEntries(names.map((name) => [name, wanted[name]]));
  return [{ type: 'SiteStylesChanged', data: { revision: before.revision + 1, author, ...changed } }];
}
