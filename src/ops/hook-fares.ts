import { hooksIn } from '#commands/hooks.ts';
import { type HookState, stateOfHook } from '#http/hooks/state.ts';
import type { HookDesk } from '#node/types.ts';
import type { Model } from '#projections/model.ts';

export interface HookFare extends HookState {
  readonly id: number;
  /** Why it was stopped; null: it was not. */
  readonly why: string | null;
  /** Number of events not yet delivered to it; 0 if nothing is sent to it. */
  readonly behind: number;
}

export function faresOf({ reader, hooks }: { readonly reader: Model; readonly hooks: HookDesk }): readonly HookFare[] {
  return hooksIn(reader).map((hook) => {
    const state = stateOfHook(hook, hooks);
    const isSent = state.position !== null && (state.state === 'sending' || state.state === 'failing');
    const behind = isSent ? Math.max(0, reader.position - (state.position ?? 0)) : 0;
    return { id: hook.id, why: hook.stopped?.why ?? null, behind, ...state };
  });
}

export function isTroubled({ state, why }: HookFare): boolean {
  return state === 'failing' || state === 'lost' || (state === 'stopped' && why !== 'asked');
}

export function longestFailing(fares: readonly HookFare[]): number {
  return Math.max(0, ...fares.map(({ failingSince }) => (failingSince === null ? 0 : secondsSince(failingSince))));
}

export function furthest(fares: readonly HookFare[]): number {
  return Math.max(0, ...fares.map(({ behind }) => behind));
}

function secondsSince(at: string): number {
  return Math.max(0, (Date.now() - Date.parse(at)) / 1000);
}
