import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { settings } from '#config.ts';
import { defineLocalVerb } from './verb.ts';

export const demo = defineLocalVerb({
  name: 'demo',
  summary: 'Makes a site to look at: 300 posts with a year of history, pages, people, comments, messages and pictures.',
  example: 'demo --directory ./demo',
  args: z.object({
    directory: localPath().optional().describe('folder of its data; default: DATA_DIR, or ./demo if that is not set'),
    posts: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a number')
      .optional()
      .describe('how many posts; default: 300'),
  }),
  here: async ({ config, progress }, { directory = usual(config.dataDir), posts = '300' }) => {
    if (existsSync(join(directory, 'log.db'))) {
      const message = `${directory} has a site already: start it with DATA_DIR=${directory}, or name another folder with --directory`;
      return { kind: 'refused', code: 'not_empty', message };
    }
    const site = {
      ...config.site,
      name: 'Marginalia',
      description: 'Notes on old books',
      templates: ['page-no-title', 'contact-form'],
      menuLocations: ['header=Header'],
    };
    const own = { ...config, dataDir: directory, eventStoreUrl: null, site };
    // Imported lazily: it includes the interface, which help on all commands does not need.
    const { fillDemo } = await import('./demo/fill.ts');
    const made = await fillDemo(own, { posts: Number(posts), progress });
    // Its history was written with a simulated clock, which this file would keep.
    rmSync(join(directory, 'clock.json'), { force: true });
    const text = [
      `${directory} has a site with ${made.posts} posts and ${made.position} events.`,
      ...made.people.map(({ login, role, password }) => `  ${login} (${role})  ${password}`),
      `Start it with DATA_DIR=${directory}, and look at /cms-audit/ with the password of an administrator.`,
    ];
    return { kind: 'done', value: made, text: text.join('\n') };
  },
});

/** The usual data directory is for a site of one's own. */
function usual(dataDir: string): string {
  return dataDir === settings.shape.DATA_DIR.parse(undefined) ? './demo' : dataDir;
}
