import { describe, expect, it } from 'vitest';
import { LogDamaged, LogInUse, LogUnavailable } from '#eventstore/port.ts';
import type { Outcome } from '#ops/outcome.ts';
import { performOnStore } from '#ops/store-verb.ts';

const done = (value: unknown): Outcome => ({ kind: 'done', value });

/** A store that counts how often it was closed. */
function store(perform: () => Promise<Outcome>) {
  const node = { perform, closed: 0, close: async () => void node.closed++ };
  return node;
}

describe('a command', () => {
  it('is carried out by the server if there is one', async () => {
    const ways = { call: async () => done('by the server'), open: () => expect.unreachable() };
    expect(await performOnStore(ways, 'x', {})).toEqual(done('by the server'));
  });

  it('opens and closes the store if there is no server', async () => {
    const node = store(async () => done('directly'));
    expect(await performOnStore({ call: async () => null, open: async () => node }, 'x', {})).toEqual(done('directly'));
    expect(node.closed).toBe(1);
  });

  it('closes the store when it fails', async () => {
    const node = store(() => Promise.reject(new TypeError('oops')));
    await expect(performOnStore({ call: async () => null, open: async () => node }, 'x', {})).rejects.toThrow('oops');
    expect(node.closed).toBe(1);
  });

  it('waits for a starting server that already holds the store', async () => {
    let starting = 3;
    const ways = {
      call: async () => (starting-- > 0 ? null : done('by the server')),
      open: () => Promise.reject(new LogInUse('held')),
    };
    expect(await performOnStore(ways, 'x', {})).toEqual(done('by the server'));
  });

  it('waits for another command that holds the store', async () => {
    const node = store(async () => done('directly'));
    let held = 2;
    const open = async () => {
      if (held-- > 0) throw new LogInUse('held');
      return node;
    };
    expect(await performOnStore({ call: async () => null, open }, 'x', {})).toEqual(done('directly'));
  });

  it('is unavailable while the log cannot be opened', async () => {
    const open = () => Promise.reject(new LogUnavailable('disk full'));
    expect(await performOnStore({ call: async () => null, open }, 'x', {})).toEqual({
      kind: 'unavailable',
      message: 'disk full',
    });
  });

  it('fails with the error of a damaged log', async () => {
    const open = () => Promise.reject(new LogDamaged('event 3 does not hold', 3));
    await expect(performOnStore({ call: async () => null, open }, 'x', {})).rejects.toThrow('event 3');
  });
});
