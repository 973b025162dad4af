import { z } from 'zod';
import { changeSchema, commitSchema } from '../feed/schema.ts';

const instant = z.string().meta({ format: 'date-time' });

const toldChange = changeSchema.extend({
  message: z
    .object({
      form: z.int().describe('Page that the form is on.'),
      date: instant.describe('When the visitor sent it.'),
      name: z.string(),
      email: z.string(),
      subject: z.string(),
      message: z.string(),
    })
    .optional()
    .describe('What a visitor wrote in a contact form; only for hooks whose resources name contact-messages.'),
});

const toldCommit = commitSchema.extend({
  changes: z.array(toldChange).describe('Changes that the user of the hook may know, and that the hook asks for.'),
});

const data = z.object({
  site: z.string().meta({ format: 'uri' }).describe('Address of the site.'),
  hook: z.int().min(1).describe('Identifier of the hook.'),
});

const extended = data.extend({
  position: z.int().describe('Position up to which the receiver has all its changes once it has taken the message.'),
  tags: z
    .array(z.string())
    .describe('Tags of the answers that may have changed, as in the header that the setting CACHE_TAGS names.'),
  commits: z.array(toldCommit).min(1).describe('Commits with changes, in order.'),
});

export const changesMessageSchema = z.object({
  type: z.literal('site.changed'),
  timestamp: instant.describe('Time of the last commit.'),
  data: extended,
});

export const testMessageSchema = z.object({
  type: z.literal('hook.test'),
  timestamp: instant.describe('When the test was requested.'),
  data,
});

export const messageHeadersSchema = z.object({
  'webhook-id': z.string().describe('Identifies the message, and is the same at each attempt.'),
  'webhook-timestamp': z.string().regex(/^\d+$/).describe('Time of the attempt, in seconds since 1970.'),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64; two of them after a change of the secret.',
    ),
});
