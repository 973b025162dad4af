import { byAddress, byId, byLogin, eraseControls, erasureOrdered, erasureState } from './erase-orders.ts';
import { type Followed, followTask, showTasks } from './follow.ts';
import type { Outcome } from './outcome.ts';
import { Stopped } from './progress.ts';
import { defineLocalVerb, type VerbPlace } from './verb.ts';

const entry = defineLocalVerb({
  name: 'erase entry',
  summary: 'Deletes a post, page or product for good and makes its texts unreadable everywhere. Cannot be undone.',
  example: 'erase entry 12 --yes --as hilda --reason "Order 12/26"',
  positionals: ['id'],
  args: byId,
  here: (place, args) => carryOut(place, 'erase order entry', args),
});

const media = defineLocalVerb({
  name: 'erase media',
  summary:
    'Deletes a media item for good, with its files, and makes its texts unreadable everywhere. Cannot be undone.',
  example: 'erase media 15 --yes --as hilda --reason "Order 12/26"',
  positionals: ['id'],
  args: byId,
  here: (place, args) => carryOut(place, 'erase order media', args),
});

const comment = defineLocalVerb({
  name: 'erase comment',
  summary: 'Deletes a comment for good and makes its words and all about its author unreadable. Cannot be undone.',
  example: 'erase comment 5 --yes --as hilda --reason "Order 12/26"',
  positionals: ['id'],
  args: byId,
  here: (place, args) => carryOut(place, 'erase order comment', args),
});

const address = defineLocalVerb({
  name: 'erase address',
  summary:
    'Makes name and addresses of everybody unreadable who wrote with a mail address; comments stay, messages go. Cannot be undone.',
  example: 'erase address ada@example.org --yes --as hilda --reason "Order 12/26"',
  positionals: ['email'],
  args: byAddress,
  here: (place, args) => carryOut(place, 'erase order address', args),
});

const user = defineLocalVerb({
  name: 'erase user',
  summary: 'Closes an account for good and makes the data about its owner unreadable. Cannot be undone.',
  example: 'erase user ada --yes --as hilda --reason "Order 12/26"',
  positionals: ['login'],
  args: byLogin,
  here: (place, args) => carryOut(place, 'erase order user', args),
});

export const eraseVerbs = [entry, media, comment, address, user];

const gone: Outcome = {
  kind: 'unavailable',
  message: 'the server went away; what was ordered is carried out after its next start',
};

function carryOut(place: VerbPlace, order: string, args: unknown): Promise<Outcome> {
  return followTask(place, order, args, { controls: eraseControls, untilDone: untilErased(place) });
}

/** Waits until the ordered erasure is carried out, and shows its progress. */
export function untilErased({ progress, signal }: Pick<VerbPlace, 'progress' | 'signal'>): Followed['untilDone'] {
  return async (begun, ask) => {
    const { erased } = erasureOrdered.parse(begun);
    const shown = showTasks(progress);
    try {
      for (;;) {
        if (signal.aborted) throw new Stopped('stopped');
        const state = await ask('erase state', {});
        if (state?.kind !== 'done') return state ?? gone;
        const { isDone, task } = erasureState.parse(state.value);
        if (isDone) return { kind: 'done', value: { erased, state: 'done' } };
        if (task !== null) await shown.at(task);
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      throw new Stopped('stopped; the order stands: a server goes on with it by itself, else the same call again does');
    } finally {
      shown.end();
    }
  };
}
