import { takesTokens } from '#commands/token-viewer.ts';
import { tools } from '#domain/tools/area.ts';
import { strongest, type Viewer } from '#domain/user/roles.ts';
import { after, onAbort } from '#process/guard.ts';
import type { Source } from './source.ts';

/**
 * Returns a signal that is aborted when the client disconnects (`gone`), or when the viewer could no longer log in as before: their
 * role changed, their account was disabled, or the password or token was withdrawn, has expired or is no longer accepted. `now`:
 * milliseconds since 1970.
 */
export function admission(viewer: Viewer, { model, changed }: Source, gone: AbortSignal, now?: number): AbortSignal {
  if (viewer.id === 0 || gone.aborted) return gone;
  const then = passwordsOf(viewer, model);
  const ended = new AbortController();
  const end = () => {
    stopListening();
    stopWatching();
    stopClock?.();
    ended.abort();
  };
  const stopListening = changed(() => {
    if (!stillHolds(viewer, then, model)) end();
  });
  const { token } = viewer;
  const left = token === undefined || now === undefined ? longestTimer : token.until - now;
  const stopClock = token && after(Math.min(left, longestTimer), end, () => ended.abort());
  const stopWatching = onAbort(gone, end, () => ended.abort());
  return ended.signal;
}

/** The longest possible timer, in milliseconds. Clients that follow for longer have to reconnect. */
const longestTimer = 2 ** 31 - 1;

/** Called while other readers are notified of a commit, so it must not throw: a viewer who cannot be looked up loses access. */
function stillHolds(viewer: Viewer, then: readonly string[], model: Source['model']): boolean {
  try {
    if (model().plugin(tools).switches.disable_authentication_password) return false;
    if (viewer.token !== undefined && !takesTokens(model())) return false;
    const user = model().user(viewer.id);
    if (user === undefined || user.disabled || strongest(user.roles) !== viewer.role) return false;
    const now = passwordsOf(viewer, model);
    return then.every((password) => now.includes(password));
  } catch {
    return false;
  }
}

function passwordsOf({ id, password }: Viewer, model: Source['model']): readonly string[] {
  const all = model().user(id)?.passwords ?? [];
  const passwords = all.filter((one) => password === undefined || one.id === password);
  return passwords.map((password) => password.id);
}
