import type { UndoSource } from '#commands/undo/plan.ts';
import { mayEditComment } from '#domain/comment/rights.ts';
import type { Comment } from '#domain/comment/state.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { mayEdit } from '#domain/entry/rights.ts';
import type { Entry } from '#domain/entry/state.ts';
import { mayEditMedia } from '#domain/media/rights.ts';
import type { Media } from '#domain/media/state.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { canManage } from '#domain/term/rights.ts';
import type { Term } from '#domain/term/state.ts';
import { canEditUser } from '#domain/user/rights.ts';
import { asWriter, may, type Right, type Viewer } from '#domain/user/roles.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry } from '#site/rights.ts';

/** Rights that the areas need which are of no item. */
const rights: Readonly<Record<string, Right>> = {
  site: 'manage_options',
  'plugin-templates': 'edit_theme_options',
  'plugin-site-styles': 'edit_theme_options',
  'plugin-host-tools': 'manage_options',
};

/** Whether a viewer may undo: whoever may change an item as it is, and as it was. */
export function mayUndo(asking: Viewer, model: Model): UndoSource['may'] {
  const viewer = asWriter(asking);
  return ({ area }, states) => states.every((state) => state === null || mayChange(area, state, { viewer, model }));
}

function mayChange(area: string, state: object, { viewer, model }: { viewer: Viewer; model: Model }): boolean {
  switch (area) {
    case 'entry': {
      const { kind, status, author, trashed } = state as Entry;
      return mayEdit(viewer, kindOf(kind), { status, author, statusBeforeTrash: trashed?.status ?? null });
    }
    case 'media':
      return mayEditMedia(viewer, state as Media);
    case 'comment': {
      const host = model.entry((state as Comment).post);
      const isEditable = host !== undefined && canEditEntry(viewer, host);
      return mayEditComment(viewer, { isReadable: isEditable, isEditable });
    }
    case 'term':
      return canManage(viewer, termKinds[(state as Term).taxonomy]);
    case 'user':
      return canEditUser(viewer, state as User) && may(viewer, 'edit_users');
    default: {
      const right = rights[area];
      return right !== undefined && may(viewer, right);
    }
  }
}
