import { rmSync } from 'node:fs';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { tellParent } from '#process/child.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { keepState } from './kept-states.ts';
import type { PastReply, Question } from './messages.ts';
import { openState } from './open-state.ts';

/**
 * Holds the site as of a position, in a child process: building a state takes seconds of processor time, and memory that is freed with
 * the process. Arguments: log, folder of kept states, present projections, position. Answers questions until disconnected.
 */
const [logPath = '', directory = '', present = '', at = ''] = process.argv.slice(2);
const position = Number(at);
process.on('disconnect', () => process.exit());

const log = openSqliteStore({ path: logPath, readOnly: true });
const path = keepState({ log, directory, position, clock: Date.now });
const state = openState({ log, path, position, present });

process.on('message', ({ id, position: then, query, comments }: Question) => {
  answer(then, query, comments).then(
    (value) => send({ id, value }),
    (error: unknown) => {
      // The next process rebuilds it.
      if (isDamage(error)) rmSync(path, { force: true });
      throw error;
    },
  );
});
send({ id: 0, value: null });
work();

async function answer(
  then: number,
  query: Question['query'],
  comments: Question['comments'],
): Promise<PastReply['value']> {
  const model = state.past.at(then);
  const value = await (comments !== undefined
    ? model.comments.find(comments)
    : query === null
      ? model.counts()
      : model.find(query));
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

function send(reply: PastReply): void {
  tellParent(reply);
}

function work(): void {
  if (state.work()) setTimeout(work, 2);
}
