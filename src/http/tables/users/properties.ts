import { z } from 'zod';
import type { Context } from '../../engine/types.ts';

/** The fields of a user, described once, in the order in which the schema lists them. */

const all: readonly Context[] = ['embed', 'view', 'edit'];
const edit: readonly Context[] = ['edit'];

interface Shown {
  readonly context: readonly Context[];
  readonly readonly?: true;
  readonly format?: string;
}

function described<T extends z.ZodType>(schema: T, description: string, shown: Shown): T {
  return schema.meta({ ...schema.meta(), description, ...shown }) as T;
}

const text = () => z.string();
const size = (pixels: number) =>
  described(z.string(), `Avatar URL with image size of ${pixels} pixels.`, { context: all, format: 'uri' });

export const properties: Readonly<Record<string, z.ZodType>> = {
  id: described(z.int(), 'Unique identifier for the user.', { context: all, readonly: true }),
  username: described(text(), 'Login name for the user.', { context: edit }),
  name: described(text(), 'Display name for the user.', { context: all }),
  first_name: described(text(), 'First name for the user.', { context: edit }),
  last_name: described(text(), 'Last name for the user.', { context: edit }),
  email: described(text(), 'The email address for the user.', { context: edit, format: 'email' }),
  url: described(text(), 'URL of the user.', { context: all, format: 'uri' }),
  description: described(text(), 'Description of the user.', { context: all }),
  link: described(text(), 'Author URL of the user.', { context: all, format: 'uri', readonly: true }),
  locale: described(text(), 'Locale for the user.', { context: edit }),
  nickname: described(text(), 'The nickname for the user.', { context: edit }),
  slug: described(text(), 'An alphanumeric identifier for the user.', { context: all }),
  registered_date: described(text(), 'Registration date for the user.', {
    context: edit,
    format: 'date-time',
    readonly: true,
  }),
  roles: described(z.array(z.string()), 'Roles assigned to the user.', { context: edit }),
  capabilities: described(z.object({}), 'All capabilities assigned to the user.', { context: edit, readonly: true }),
  extra_capabilities: described(z.object({}), 'Any extra capabilities assigned to the user.', {
    context: edit,
    readonly: true,
  }),
  avatar_urls: described(z.object({ 24: size(24), 48: size(48), 96: size(96) }), 'Avatar URLs for the user.', {
    context: all,
    readonly: true,
  }),
  meta: described(z.object({}), 'Meta fields.', { context: ['view', 'edit'] }),
};
