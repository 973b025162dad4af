import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { defineLocalVerb } from './verb.ts';

export const demo = defineLocalVerb({
  name: 'demo',
  summary: 'Makes a site to look at: 300 posts with a year of history, pages, people, comments, messages and pictures.',
  example: 'demo --directory ./demo',
  args: z.object({
    directory: localPath().optional().describe('folder of its data; default: ./demo'),
    posts: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a number')
      .optional()
      .describe('how many posts; default: 300'),
  }),
  here: async ({ config, progress }, { directory = './demo', posts = '300' }) => {
    if (existsSync(join(directory, 'log.db'))) {
      return { kind: 'refused', code: 'not_empty', message: `${directory} has a site already` };
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
