import { z } from 'zod';
import { descriptorOf } from '../engine/descriptors.ts';

const change = z.object({
  resource: z.string().describe('Collection that it belongs to: posts, pages, categories, tags, users …, or site.'),
  id: z.int().describe('Unique identifier within the resource; 0 for the site.'),
  what: z
    .enum(['created', 'changed', 'published', 'unpublished', 'trashed', 'restored', 'deleted', 'added', 'removed'])
    .describe('What became of it. Added, removed: it came into, went out of what the viewer may see.'),
  link: z.string().meta({ format: 'uri' }).optional().describe('Where it is now, if the viewer may read it now.'),
});

const commit = z.object({
  position: z.int().describe('Position of the last event of the commit in the log.'),
  at: z.string().meta({ format: 'date-time' }).describe('When it was made.'),
  changes: z.array(change).describe('What the viewer may know of it.'),
});

const properties = {
  position: z.int().describe('Position up to which the log was looked through; where the next request begins.'),
  commits: z.array(commit).describe('Commits of which the viewer may know something, in order.'),
};

/** What the feed answers when it is asked for JSON; `data` of an event is one of the commits. */
export function changesSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'changes',
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}
