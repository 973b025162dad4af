import type { ContentType } from '#domain/entry/content-type.ts';

const names = [
  'edit_post',
  'read_post',
  'delete_post',
  'edit_posts',
  'edit_others_posts',
  'delete_posts',
  'publish_posts',
  'read_private_posts',
  'read',
  'delete_private_posts',
  'delete_published_posts',
  'delete_others_posts',
  'edit_private_posts',
  'edit_published_posts',
  'create_posts',
];

export function typeCapabilities({ noun, rightNames = {} }: ContentType): Readonly<Record<string, string>> {
  const own = (name: string) => (name === 'create_posts' ? 'edit_posts' : name).replace('post', noun);
  return Object.fromEntries(names.map((name) => [name, rightNames[name] ?? own(name)]));
}
