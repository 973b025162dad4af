import { z } from 'zod';
import type { commitSchema } from '../feed/schema.ts';
import type { changesMessageSchema } from '../hooks/schema.ts';

/** How messages of the site are written as CloudEvents 1.0, for receivers that pass them on. The site itself sends none. */

type Commit = z.infer<typeof commitSchema>;
type ChangesMessage = z.infer<typeof changesMessageSchema>;

const commitType = 'palimpsest.commit';
const messageType = 'palimpsest.site.changed';
const contentType = 'application/json';

/** Attributes, without `data`. */
export const commitEventSchema = envelope({
  id: z.string().describe('The id of the server-sent event: `position` of the commit.'),
  source: z.string().meta({ format: 'uri' }).describe('Address of the feed.'),
  type: z.literal(commitType).describe('The event of the server-sent event, with the name of the program before it.'),
  time: z.string().meta({ format: 'date-time' }).describe('`at` of the commit.'),
});

export const messageEventSchema = envelope({
  id: z.string().describe('The header `webhook-id`.'),
  source: z.string().meta({ format: 'uri' }).describe('`data.site` of the message.'),
  type: z.literal(messageType).describe('`type` of the message, with the name of the program before it.'),
  time: z.string().meta({ format: 'date-time' }).describe('`timestamp` of the message.'),
});

function envelope(own: Readonly<Record<'id' | 'source' | 'type' | 'time', z.ZodType>>): z.ZodType {
  const { id, source, type, time } = own;
  return z.object({
    specversion: z.literal('1.0'),
    id,
    source,
    type,
    subject: z
      .string()
      .min(1)
      .optional()
      .describe('`resource` and `id` of the change, such as posts/4; absent if there is more than one.'),
    time,
    datacontenttype: z.literal(contentType),
    dataschema: z.string().meta({ format: 'uri' }).describe('The schema in the description of the interface.'),
  });
}

/** `root`: address of the interface, without trailing slash. */
export function commitEvent(commit: Commit, root: string) {
  return {
    specversion: '1.0',
    id: String(commit.position),
    source: `${root}/cms/v2/changes`,
    type: commitType,
    ...subjectOf([commit]),
    time: commit.at,
    datacontenttype: contentType,
    dataschema: `${schemaIn(root)}/properties/commits/items`,
    data: commit,
  };
}

/** `id`: the header `webhook-id`. */
export function messageEvent({ timestamp, data }: ChangesMessage, { id, root }: { id: string; root: string }) {
  return {
    specversion: '1.0',
    id,
    source: data.site,
    type: messageType,
    ...subjectOf(data.commits),
    time: timestamp,
    datacontenttype: contentType,
    dataschema: schemaIn(root),
    data,
  };
}

function schemaIn(root: string): string {
  return `${root}/openapi.json#/components/schemas/changes`;
}

function subjectOf(commits: readonly Commit[]): { subject?: string } {
  const [first, ...others] = commits.flatMap(({ changes }) => changes);
  return first === undefined || others.length > 0 ? {} : { subject: `${first.resource}/${first.id}` };
}
