import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { admin, openTestNode, type TestOptions } from './node.ts';
import type { StandIn } from './stand-in/server.ts';
import { quick } from './wire-store.ts';

export type TestNode = Awaited<ReturnType<typeof openTestNode>>;

/** When entries of these tests are due, on the clock of a test node. */
export const due = { local: '2026-03-01T13:00:00', gmt: '2026-03-01T12:00:00' };

/** A node on a shared log that is closed when the test ends. */
export async function nodeOn({ url }: StandIn, { env = {}, ...options }: TestOptions = {}): Promise<TestNode> {
  const opened = await openTestNode(undefined, { env: { ...env, EVENTSTORE_URL: url }, timings: quick, ...options });
  onTestFinished(() => opened.node.close());
  return opened;
}

export const create = ({ node }: TestNode, fields = {}) =>
  node.store.submit(admin, (session) =>
    entries.createEntry(session, post, { title: 'Hello', content: 'World', status: 'publish', ...fields }),
  );

/** A text whose compressed size is at least `bytes`. */
export const noise = (bytes: number) => randomBytes(bytes).toString('base64');
