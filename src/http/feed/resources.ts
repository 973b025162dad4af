import { entryKinds } from '#domain/entry/kinds.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import { baseOf } from '#site/design/template-bases.ts';
import { messagesResource } from './contact.ts';

/** Every resource that a change can belong to. */
export const feedResources: readonly string[] = [
  ...entryKinds.map(({ base }) => base),
  'media',
  'comments',
  ...allTermKinds.map(({ base }) => base),
  'users',
  ...Object.values(baseOf),
  'global-styles',
  messagesResource,
  'site',
];
