/** Weakest first. */
export const allRoles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;

export const allStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
