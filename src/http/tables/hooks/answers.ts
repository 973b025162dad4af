import { z } from 'zod';
import { stopReasons } from '#domain/hooks/events.ts';
import { hookStates } from '../../hooks/state.ts';
import { count, id, instant } from '../plugins/kit/answers.ts';

const shape = {
  id,
  address: z.string().describe('Where changes are sent; empty: it was erased.'),
  user: id.describe('By whose rights the hook sees what changed.'),
  resources: z.array(z.string()).describe('Collections whose changes it is told of; none: all.'),
  changes: z.array(z.string()).describe('Kinds of changes that it is told of; none: all.'),
  statuses: z
    .array(z.string())
    .describe('Statuses that an entry has before or after a change; none: whatever they are.'),
  enabled: z.boolean(),
  stopped: z.object({ why: z.enum(stopReasons), at: instant }).nullable(),
  state: z.enum(hookStates).describe('How it fares at this server.'),
  position: z.int().min(0).nullable().describe('Position up to which the receiver has the changes.'),
  failing_since: instant.nullable(),
  attempts: count.describe('Attempts that failed since then.'),
  error: z.string().describe('Why the last attempt failed.'),
  delivered_at: instant.nullable().describe('When a message was last taken.'),
};
const secret = z.string().describe('What messages are signed with; shown only now.');

export const hook = z.object(shape);
export const list = z.array(hook);
export const withSecret = z.object({ ...shape, secret });
export const hookDeleted = z.object({ deleted: z.literal(true), previous: hook });
