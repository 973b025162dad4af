import { describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { type Hook, hooks } from '#domain/hooks/area.ts';
import * as decide from '#domain/hooks/decide.ts';
import type { HookEvent } from '#domain/hooks/events.ts';
import { startingAt } from '#domain/hooks/progress.ts';
import { afterFailure, afterSuccess, isHopeless, retryPeriod } from '#http/hooks/deliver.ts';

const at = '2026-03-01T11:00:00.000Z';
const draft = { user: 3, address: 'https://x.example/', resources: [], changes: [], statuses: [], secret: 'whsec_a' };

function folded(events: readonly HookEvent[], key: string) {
  return events.reduce((document, event) => hooks.evolve(document, event, { key, at }), hooks.empty);
}

function added(): { readonly events: readonly HookEvent[]; readonly hook: Hook } {
  const events = decide.addHook(hooks.empty, draft);
  if ('refused' in events) throw new Error(events.code);
  const { hook } = folded(events, '1');
  if (hook === null) throw new Error('nothing was added');
  return { events, hook };
}

describe('a hook', () => {
  it('records only changes', () => {
    const { hook } = added();
    expect(decide.changeHook(hook, { ...draft })).toEqual([]);
    expect(decide.changeHook(hook, { user: 4, statuses: ['publish'], address: 'https://y.example/' })).toEqual([
      { type: 'HookChanged', data: { id: 1, user: 4, statuses: ['publish'] } },
      { type: 'HookAddressChanged', data: { id: 1, user: 4, address: 'https://y.example/' } },
    ]);
    expect([decide.startHook(hook), decide.replaceHookSecret(hook, 'whsec_a')]).toEqual([[], []]);
    const stopped = { ...hook, stopped: { why: 'asked', at } } as const;
    expect([decide.stopHook(hook, 'gone').length, decide.stopHook(stopped, 'gone').length]).toEqual([1, 0]);
  });

  it('is limited to a hundred per site, and its number is never reused', () => {
    expect(decide.addHook({ ...hooks.empty, count: 100 }, draft)).toMatchObject({ code: 'rest_too_many_hooks' });
    const { events, hook } = added();
    const all = folded([...events, ...decide.removeHook(hook)], '');
    expect([all.count, decide.addHook(all, draft)]).toMatchObject([0, [{ data: { id: 2 } }]]);
  });

  it('belongs to its user and to the user who added it; erased, it has neither address nor secret', () => {
    const { events } = added();
    const stored = { ...codec.encode(events[0] as HookEvent), stream: hooks.stream, others: [] };
    expect(codec.subjects({ ...stored, actor: 1 })).toEqual(['user-3', 'user-1']);
    expect(codec.subjects({ ...stored, actor: 3 })).toEqual(['user-3']);
    const erased = codec.decode({ ...stored, sealed: null }) as HookEvent;
    expect(folded([erased], '1').hook).toMatchObject({ address: '', secret: '' });
  });
});

describe('the pauses between attempts', () => {
  it('grow to five minutes, honour Retry-After, and end after a day', () => {
    let progress = startingAt(7);
    const pauses: number[] = [];
    for (let now = 0; !isHopeless(progress, now); now = progress.nextAt) {
      progress = afterFailure(progress, { now, error: 'status 500', retryAfter: 0, random: 0 });
      pauses.push((progress.nextAt - now) / 1000);
    }
    expect(pauses.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    expect(progress).toMatchObject({ position: 7, failingSince: 0, attempts: pauses.length });
    expect(progress.nextAt).toBeGreaterThanOrEqual(retryPeriod);
    expect(afterFailure(progress, { now: 0, error: '', retryAfter: 900, random: 1 }).nextAt).toBe(900_000);
    expect(afterSuccess(progress, 9, 5)).toEqual({ ...startingAt(9), deliveredAt: 5 });
  });
});
