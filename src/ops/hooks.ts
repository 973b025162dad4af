import { z } from 'zod';
import { hookIn, hooksIn, switchHook } from '#commands/hooks.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { momentExamples, momentNamed } from '#domain/time/local.ts';
import { send } from '#http/hooks/deliver.ts';
import { testMessage } from '#http/hooks/message.ts';
import { stateOfHook } from '#http/hooks/state.ts';
import { createPoster } from '#outgoing/post.ts';
import { defineVerb, type VerbStore, write } from './verb.ts';

const hook = z
  .string()
  .regex(/^\d{1,15}$/, 'has to be the number of a hook')
  .describe('number of a hook');

const list = defineVerb({
  name: 'hooks list',
  isRead: true,
  summary: 'Lists the hooks: where changes are sent, and how that goes.',
  example: 'hooks list',
  args: z.object({}),
  run: async ({ reader, hooks }) =>
    hooksIn(reader).map((one) => {
      const { state, position, ...fare } = stateOfHook(one, hooks);
      const user = reader.user(one.user)?.login ?? 'nobody';
      const why = one.stopped?.why ?? '';
      return { id: one.id, state, why, position, user, address: withoutSecrets(one.address), ...fare };
    }),
});

const replay = defineVerb({
  name: 'hooks replay',
  summary: 'Sends a hook everything again from a position or time on; from "now": only what is to come.',
  example: 'hooks replay 1 --from 2026-03-01T12:00:00',
  positionals: ['hook'],
  args: z.object({ hook, from: z.string().describe('position, date and time in the zone of the site, or now') }),
  run: async (store, { hook: number, from }) => {
    const found = hookIn(store.reader, Number(number));
    if (isRefusal(found)) return found;
    const position = positionBefore(from, store);
    if (isRefusal(position)) return position;
    store.hooks.progress.move(found.id, position);
    return { id: found.id, position, behind: store.log.head().position - position };
  },
});

const test = defineVerb({
  name: 'hooks test',
  summary: 'Sends a hook a message that says nothing but that it is a test, and shows how that ended.',
  example: 'hooks test 1',
  positionals: ['hook'],
  args: z.object({ hook }),
  run: async ({ reader, hooks, clock }, { hook: number }) => {
    const found = hookIn(reader, Number(number));
    if (isRefusal(found)) return found;
    const poster = createPoster({ networks: hooks.networks });
    try {
      const message = testMessage(found.id, reader.site().storeUrl, clock.now);
      const parts = { poster, clock: () => clock.now };
      const { why, status } = await send(parts, found, message, new AbortController().signal);
      return why === null ? { id: found.id, status } : refuse('not_taken', `hook ${found.id} did not take it: ${why}`);
    } finally {
      poster.close();
    }
  },
});

const enable = defineVerb({
  name: 'hooks enable',
  summary: 'Starts a hook that was stopped; it goes on where it stopped.',
  example: 'hooks enable 1',
  positionals: ['hook'],
  args: z.object({ hook }),
  run: (store, { hook: number }) =>
    write(store, (session) => {
      const started = switchHook(session, Number(number), null);
      return isRefusal(started) ? started : { id: started.id, enabled: 'yes' };
    }),
});

export const hookVerbs = [list, replay, test, enable];

function positionBefore(from: string, { log, reader }: Pick<VerbStore, 'log' | 'reader'>): number | Refusal {
  const head = log.head().position;
  const text = from.trim();
  if (text === 'now') return head;
  if (/^\d{1,15}$/.test(text)) {
    const beyond = refuse('rest_invalid_position', `the log ends at position ${head}`);
    return Number(text) > head ? beyond : Math.max(0, Number(text) - 1);
  }
  const moment = momentNamed(text, 'start', reader.site().timezone);
  if (moment === null) {
    return refuse('rest_invalid_position', `--from is neither a position nor a day or time such as ${momentExamples}`);
  }
  return log.positionAt(new Date(Date.parse(moment) - 1).toISOString());
}

function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.origin}${url.pathname}`;
}
