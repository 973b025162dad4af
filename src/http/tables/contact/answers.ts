import { z } from 'zod';
import { id, instant } from '../plugins/kit/answers.ts';

export const sent = z.object({ sent: z.literal(true) });

export const message = z.object({
  id,
  form: id.describe('Page that the form is on.'),
  date: instant,
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  author_ip: z.string(),
  author_user_agent: z.string(),
});
export const messages = z.array(message);
export const messageDeleted = z.object({ deleted: z.boolean(), previous: message.nullable() });
