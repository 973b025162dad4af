import { hooksIn } from '#commands/hooks.ts';
import { type HookState, stateOfHook } from '#http/hooks/state.ts';
import type { HookService } from '#node/types.ts';
import type { Model } from '#projections/reading/model.ts';

export interface HookStatus extends HookState {
  readonly id: number;
  /** Why it was stopped; null: it was not. */
  readonly why: string | null;
  /** Number of events not yet delivered to it; 0 if nothing is sent to it. */
  readonly behind: number;
}

export function hookStatusesOf({
  reader,
  hooks,
}: {
  readonly reader: Model;
  readonly hooks: HookService;
}): readonly HookStatus[] {
  return hooksIn(reader).map((hook) => {
    const state = stateOfHook(hook, hooks);
    const isSent = state.position !== null && (state.state === 'sending' || state.state === 'failing');
    const behind = isSent ? Math.max(0, reader.position - (state.position ?? 0)) : 0;
    return { id: hook.id, why: hook.stopped?.why ?? null, behind, ...state };
  });
}

export function isTroubled({ state, why }: HookStatus): boolean {
  return state === 'failing' || state === 'lost' || (state === 'stopped' && why !== 'asked');
}

export function longestFailing(statuses: readonly HookStatus[]): number {
  return Math.max(0, ...statuses.map(({ failingSince }) => (failingSince === null ? 0 : secondsSince(failingSince))));
}

export function furthest(statuses: readonly HookStatus[]): number {
  return Math.max(0, ...statuses.map(({ behind }) => behind));
}

function secondsSince(at: string): number {
  return Math.max(0, (Date.now() - Date.parse(at)) / 1000);
}
