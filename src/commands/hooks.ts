import { randomBytes } from 'node:crypto';
import { type Hook, hooks } from '#domain/hooks/area.ts';
import { startHook, stopHook } from '#domain/hooks/decide.ts';
import type { HookEvent, StopReason } from '#domain/hooks/events.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { stageIn } from './plugins.ts';
import type { Session } from './session.ts';

const noHook = refuse('rest_hook_not_found', 'There is no such hook.');

/** Prefix of secrets (Standard Webhooks); base64 follows. */
export const secretPrefix = 'whsec_';
const secretBytes = 32;

export function hookIn(model: Model, id: number): Hook | Refusal {
  return model.plugin(hooks, String(id)).hook ?? noHook;
}

export function hooksIn(model: Model): readonly Hook[] {
  const all = [...model.plugins(hooks).values()].flatMap(({ hook }) => hook ?? []);
  return all.sort((a, b) => a.id - b.id);
}

export function settleHook(session: Session, id: number, events: readonly HookEvent[]): Hook | Refusal {
  return stageIn(session, hooks, events) ?? hookIn(session, id);
}

export function switchHook(session: Session, id: number, stop: StopReason | null): Hook | Refusal {
  const hook = hookIn(session, id);
  if (isRefusal(hook)) return hook;
  return settleHook(session, id, stop === null ? startHook(hook) : stopHook(hook, stop));
}

export function makeHookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}
