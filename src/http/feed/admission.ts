import type { Viewer } from '#domain/user/roles.ts';
import type { Source } from './source.ts';

/** Whether the viewer is still whom the connection was opened for: same role, and no password withdrawn since. */
export type StillHolds = () => boolean;

/** Remembers with what a viewer was let in. Which of the passwords it was is not known here, so all have to stand. */
export function admit({ id, role }: Viewer, { model }: Source): StillHolds {
  if (id === 0) return () => true;
  const then = passwords(model().user(id));
  return () => {
    const user = model().user(id);
    if (user?.role !== role) return false;
    const now = passwords(user);
    return then.every((password) => now.includes(password));
  };
}

function passwords(user: { readonly passwords: readonly { readonly id: string }[] } | undefined): readonly string[] {
  return user?.passwords.map(({ id }) => id) ?? [];
}
