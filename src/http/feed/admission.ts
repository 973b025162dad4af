import { tools } from '#domain/plugins/tools/area.ts';
import { strongest, type Viewer } from '#domain/user/roles.ts';
import { onAbort } from '#process/guard.ts';
import type { Source } from './source.ts';

/**
 * Aborted when the client has gone, and when the viewer may no longer log in as when the connection was opened: their role
 * changed, their account was disabled, the password was withdrawn, or passwords are switched off. `gone`: the client has gone.
 */
export function admission(viewer: Viewer, { model, changed }: Source, gone: AbortSignal): AbortSignal {
  if (viewer.id === 0 || gone.aborted) return gone;
  const then = passwordsOf(viewer, model);
  const ended = new AbortController();
  const end = () => {
    stopListening();
    stopWatching();
    ended.abort();
  };
  const stopListening = changed(() => {
    if (!stillHolds(viewer, then, model)) end();
  });
  const stopWatching = onAbort(gone, end, () => ended.abort());
  return ended.signal;
}

/** Called while others are told of a commit, who must not suffer: who cannot be looked up is read to no longer. */
function stillHolds(viewer: Viewer, then: readonly string[], model: Source['model']): boolean {
  try {
    if (model().plugin(tools).switches.disable_authentication_password) return false;
    const user = model().user(viewer.id);
    if (user === undefined || user.disabled || strongest(user.roles) !== viewer.role) return false;
    const now = passwordsOf(viewer, model);
    return then.every((password) => now.includes(password));
  } catch {
    return false;
  }
}

/** Where it is not known which of the passwords it was, all have to stand. */
function passwordsOf({ id, password }: Viewer, model: Source['model']): readonly string[] {
  const all = model().user(id)?.passwords ?? [];
  const passwords = all.filter((one) => password === undefined || one.id === password);
  return passwords.map((password) => password.id);
}
