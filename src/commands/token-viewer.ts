import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import { isOpen, type User } from '#domain/user/state.ts';
import { loadedPlugins } from '#plugin/loaded.ts';
import type { Model } from '#projections/reading/model.ts';
import { isClosedNow } from './credentials.ts';
import { pluginReader } from './plugin-model.ts';
import { isSame } from './tokens.ts';

const TOKEN = /^(\d{1,15})\.(\d{1,12})\.[\da-f]{64}$/;

/**
 * Returns the user that a token identifies, or null. Those of an auditor do not work: what a program reads by them is not noted. `now`:
 * milliseconds since 1970.
 */
export function authenticateToken(model: Model, token: string, now: number): Viewer | null {
  const user = holderOf(token, model);
  if (user === undefined || isClosedNow(user, model, now) || !takesTokens(model)) return null;
  if (user.roles.includes('auditor')) return null;
  const known = user.passwords.find((one) => one.token !== undefined && isSame(one, token));
  if (known?.token === undefined || !isOpen(known, new Date(now).toISOString())) return null;
  const { until, ...bounds } = known.token;
  return {
    ...viewerOf(user),
    password: known.id,
    token: { name: known.name, until: Date.parse(until), ...bounds },
  };
}

/** Whether programs may act for users at present. */
export function takesTokens(model: Model): boolean {
  return loadedPlugins.some((plugin) => plugin.takesTokens?.(pluginReader(model)));
}

function holderOf(token: string, model: Model): User | undefined {
  const id = TOKEN.exec(token)?.[1];
  return id === undefined ? undefined : model.user(Number(id));
}
