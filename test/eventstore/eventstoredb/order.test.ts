import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AppendOrder, createAppendOrder } from '#eventstore/eventstoredb/order.ts';

/** The longest wait for a node, in milliseconds. */
const longest = 400;
/** Milliseconds that appending a group takes; a node that lost a race has a smaller next group. */
const round = 16;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Nodes that all see each append at once. */
function nodesOnOneLog(names: readonly string[]) {
  const nodes = new Map(names.map((name) => [name, createAppendOrder(name)]));
  const appended: string[] = [];
  const of = (name: string) => nodes.get(name) as AppendOrder;
  const append = (name: string) => {
    const appender = of(name).next();
    appended.push(name);
    for (const node of nodes.values()) node.seen(appender, appended.length);
    of(name).done();
  };
  /** Appends a number of times, always having more; `from`: milliseconds until it begins. */
  const write = async (name: string, { times, from = 0 }: { times: number; from?: number }) => {
    await sleep(from);
    for (let [made, lost] = [0, 0]; made < times; ) {
      for (let wait = of(name).wait(); wait !== undefined; wait = of(name).wait()) await wait;
      const before = appended.length;
      await sleep(Math.max(1, round >> lost));
      if (appended.length === before) {
        append(name);
        [made, lost] = [made + 1, 0];
      } else lost += 1;
    }
  };
  return { of, append, appended, write };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('the order of appends', () => {
  it('lets a single node append at once', async () => {
    const { of, write } = nodesOnOneLog(['one']);
    const writing = write('one', { times: 50 });
    await vi.advanceTimersByTimeAsync(50 * round);
    await writing;
    expect(of('one').wait()).toBeUndefined();
  });

  it('lets nodes that all have more append in turn', async () => {
    const { appended, write } = nodesOnOneLog(['one', 'two', 'three']);
    const writing = ['one', 'two', 'three'].map((name, i) => write(name, { times: 20, from: i }));
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(writing);
    const settled = appended.slice(-30, -6);
    const rounds = Array.from({ length: 8 }, (_, i) => settled.slice(3 * i, 3 * i + 3));
    expect(rounds.map((names) => new Set(names).size)).toEqual(rounds.map(() => 3));
  });

  it('does not wait for a node that does not expect to have more', async () => {
    const { of, append } = nodesOnOneLog(['one', 'two']);
    of('two').wait();
    append('two');
    await vi.advanceTimersByTimeAsync(5000);
    of('one').wait();
    append('one');
    expect(of('one').wait()).toBeUndefined();
  });

  it('skips hung nodes, each of which delays it once', () => {
    const names = ['one', 'two', 'three', 'four'];
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: 1, maxLength: 3 }), fc.nat(60), (hanging, took) => {
        const { of, append } = nodesOnOneLog(names);
        const inTurn = () => {
          for (const name of names) {
            of(name).wait();
            vi.advanceTimersByTime(took);
            append(name);
          }
        };
        for (let k = 0; k < 4; k++) inTurn();
        const [left = ''] = names.filter((name) => !hanging.includes(name));
        const turns = (count: number) => {
          let waited = 0;
          for (let k = 0; k < count; k++) {
            for (; of(left).wait() !== undefined; waited++) vi.advanceTimersByTime(1);
            append(left);
          }
          return waited;
        };
        const others = names.length - 1;
        expect(turns(3)).toBeLessThanOrEqual(others * longest);
        expect(turns(10)).toBe(0);
      }),
    );
  });

  it('ends a wait as soon as the log has grown', async () => {
    const { of, append } = nodesOnOneLog(['one', 'two']);
    for (const name of ['one', 'two', 'one', 'two', 'one']) {
      of(name).wait();
      append(name);
    }
    const woken = vi.fn();
    void of('one').wait()?.then(woken);
    await Promise.resolve();
    expect(woken).not.toHaveBeenCalled();
    of('one').wake();
    await Promise.resolve();
    await Promise.resolve();
    expect(woken).toHaveBeenCalled();
  });

  it('keeps waiting for a node whose append arrives in pieces', () => {
    const { of, append } = nodesOnOneLog(['one', 'two']);
    for (const name of ['one', 'two', 'one', 'two', 'one']) {
      of(name).wait();
      append(name);
    }
    for (let ms = 0; ms < 2 * longest; ms += 10) {
      vi.advanceTimersByTime(10);
      of('one').wake();
      expect(of('one').wait()).toBeDefined();
    }
    append('two');
    expect(of('one').wait()).toBeUndefined();
  });

  it('remembers only a few nodes that are gone', () => {
    const { of } = nodesOnOneLog(['one']);
    for (let k = 1; k <= 100; k++) of('one').seen({ node: `gone-${k}`, more: true }, k);
    of('one').seen({ node: 'one', more: true }, 101);
    let waited = 0;
    for (; of('one').wait() !== undefined; waited++) vi.advanceTimersByTime(1);
    expect(waited).toBeLessThan(10 * longest);
  });
});
