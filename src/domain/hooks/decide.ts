import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Hook, HookDocument, HookFilter } from './area.ts';
import type { HookEvent, StopReason } from './events.ts';

/** Limited because each hook follows the log separately. */
const maxHooks = 100;

export interface HookDraft extends HookFilter {
  readonly user: number;
  readonly address: string;
}

const tooMany = refuse('rest_too_many_hooks', `A site has at most ${maxHooks} hooks.`);

export function addHook(all: HookDocument, draft: HookDraft & Pick<Hook, 'secret'>): readonly HookEvent[] | Refusal {
  if (all.count >= maxHooks) return tooMany;
  return [{ type: 'HookAdded', data: { id: all.last + 1, ...mutable(draft) } }];
}

/** Changes the given fields; no events if nothing differs. */
export function changeHook(hook: Hook, wanted: Partial<HookDraft>): readonly HookEvent[] {
  const { id } = hook;
  const { address = hook.address, user = hook.user } = wanted;
  const names = (['user', 'resources', 'changes', 'statuses'] as const).filter(
    (name) => wanted[name] !== undefined && JSON.stringify(wanted[name]) !== JSON.stringify(hook[name]),
  );
  const changed = Object.fromEntries(names.map((name) => [name, wanted[name]]));
  return [
    ...(names.length === 0 ? [] : [{ type: 'HookChanged' as const, data: { id, ...changed } }]),
    ...(address === hook.address ? [] : [{ type: 'HookAddressChanged' as const, data: { id, user, address } }]),
  ];
}

export function replaceHookSecret({ id, user, ...hook }: Hook, secret: string): readonly HookEvent[] {
  return secret === hook.secret ? [] : [{ type: 'HookSecretReplaced', data: { id, user, secret } }];
}

export function stopHook({ id, stopped }: Hook, why: StopReason): readonly HookEvent[] {
  return stopped === null ? [{ type: 'HookStopped', data: { id, why } }] : [];
}

export function startHook({ id, stopped }: Hook): readonly HookEvent[] {
  return stopped === null ? [] : [{ type: 'HookStarted', data: { id } }];
}

export function removeHook({ id }: Hook): readonly HookEvent[] {
  return [{ type: 'HookRemoved', data: { id } }];
}

function mutable({ user, address, secret, ...filter }: HookDraft & Pick<Hook, 'secret'>) {
  const { resources, changes, statuses } = filter;
  return { user, resources: [...resources], changes: [...changes], statuses: [...statuses], address, secret };
}
