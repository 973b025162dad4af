import { isRefusal } from '#domain/kernel/refusal.ts';
import { type Act, perform } from './acts.ts';
import { admin, openTestNode } from './node.ts';

export type TestNode = Awaited<ReturnType<typeof openTestNode>>;

/** Performs acts at increasing times, and calls back after each. */
export async function live(
  sequence: readonly Act[],
  look: (test: TestNode) => void | Promise<void> = () => undefined,
  opened?: TestNode,
): Promise<TestNode> {
  const test = opened ?? (await openTestNode());
  for (const act of sequence) {
    // Often two within a second, when the higher id counts as newer.
    test.clock.now += 700;
    const viewer = { id: 'by' in act ? act.by : 1, role: 'administrator' as const };
    await test.node.store.submit({ ...admin, viewer }, (session) => {
      session.attempt(() => {
        const value = perform(session, act);
        return isRefusal(value) ? value : null;
      });
    });
    await look(test);
  }
  return test;
}
