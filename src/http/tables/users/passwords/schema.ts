import { z } from 'zod';
import { descriptorOf } from '../../../engine/descriptors.ts';

const all = ['view', 'edit', 'embed'];
const shownIn = ['view', 'edit'];
const text = (description: string, context: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
  z.string().meta({ description, context, readonly: true, ...more });

const orNull = (description: string, more: Readonly<Record<string, unknown>>) =>
  z
    .string()
    .nullable()
    .meta({ description, context: shownIn, readonly: true, ...more });

const properties: Readonly<Record<string, z.ZodType>> = {
  uuid: text('The unique identifier for the application password.', all, { format: 'uuid' }),
  app_id: text('A UUID provided by the application to uniquely identify it.', all, { readonly: false }),
  name: text('The name of the application password.', all, { readonly: false }),
  password: text('The generated password. Only available after adding an application.', ['edit']),
  created: text('The GMT date the application password was created.', shownIn, { format: 'date-time' }),
  last_used: orNull('The GMT date the application password was last used.', { format: 'date-time' }),
  last_ip: orNull('The IP address the application password was last used by.', { format: 'ip' }),
};

export function passwordSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'application-password',
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}
