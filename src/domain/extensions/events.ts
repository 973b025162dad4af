import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';

const slug = limited.word;

export const PluginActivated = defineEvent({
  type: 'PluginActivated',
  summary: 'An installed plugin was switched on.',
  schema: z.object({ slug }),
});

export const ThemeInstalled = defineEvent({
  type: 'ThemeInstalled',
  summary: 'A theme was added to those that the site can use.',
  schema: z.object({
    slug,
    name: limited.name,
    fonts: limited.list(limited.word).describe('font families that it offers'),
  }),
});

export const ThemeSwitched = defineEvent({
  type: 'ThemeSwitched',
  summary: 'The site switched to another theme.',
  schema: z.object({ slug }),
});

export const extensionEvents = [PluginActivated, ThemeInstalled, ThemeSwitched] as const;
export type ExtensionEvent = EventOf<(typeof extensionEvents)[number]>;
