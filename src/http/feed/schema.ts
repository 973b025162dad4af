import { z } from 'zod';
import { descriptorOf } from '../engine/descriptors.ts';
import { whats } from './visible.ts';

export const changeSchema = z.object({
  resource: z
    .string()
    .describe(
      'Collection of the changed item: posts, pages, comments, categories, tags, users, templates, contact-messages …, or site.',
    ),
  id: z.int().describe('Unique identifier within the resource; 0 for the site.'),
  what: z
    .enum(whats)
    .describe('Kind of the change. Added, removed: the item became visible or invisible to the viewer.'),
  heir: z
    .int()
    .optional()
    .describe('After the deletion of a user: who has their posts now; 0: nobody, they went to the trash.'),
  link: z.string().meta({ format: 'uri' }).optional().describe('Present address, if the viewer may read the item now.'),
});

/** The `data` of a server-sent event. */
export const commitSchema = z.object({
  position: z.int().describe('Position of the last event of the commit in the log.'),
  at: z.string().meta({ format: 'date-time' }).describe('Time of the commit.'),
  changes: z.array(changeSchema).describe('Changes that the viewer may know.'),
});

const properties = {
  position: z.int().describe('Position up to which the log was read; use it as `since` of the next request.'),
  commits: z.array(commitSchema).describe('Commits with changes that the viewer may know, in order.'),
};

/** The response of the feed as JSON. */
export function changesSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'changes',
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}
