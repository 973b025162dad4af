import type { DescribedType } from '#domain/entry/content-type.ts';

export const mediaType: DescribedType = {
  slug: 'attachment',
  base: 'media',
  name: 'Media',
  singular: 'Media',
  icon: 'dashicons-admin-media',
  hierarchical: false,
  taxonomies: [],
  supports: new Set(['title', 'author', 'comments']),
  viewable: true,
  inMenus: false,
  noun: 'post',
  rightNames: { create_posts: 'upload_files' },
  edit: 'edit_posts',
};
