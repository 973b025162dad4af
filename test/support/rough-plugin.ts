import { defineArea, defineEvent, definePlugin, ofTheSite, z } from 'palimpsest/plugin';

const written = defineEvent({
  type: 'rough.Written',
  summary: 'Something was written.',
  schema: z.strictObject({ text: z.string() }),
  sealed: ['text'],
  erased: { text: '' },
  subjects: ofTheSite,
});

const notes = defineArea({
  name: 'rough.notes',
  events: [written],
  empty: { count: 0 },
  evolve: ({ count }) => ({ count: count + 1 }),
});

const base = { access: 'public', summary: 'Behave badly', answers: z.unknown() } as const;

/** A plugin that does what plugins must not do. */
export const plugin = definePlugin({
  name: 'rough',
  areas: [notes],
  namespaces: [
    {
      name: 'rough/v1',
      routes: [
        { ...base, method: 'GET', path: 'silent', query: () => new Promise(() => undefined) },
        {
          ...base,
          method: 'POST',
          path: 'later',
          command: ({ model }) =>
            Promise.resolve().then(() => model.stage(notes, [{ type: 'rough.Written', data: { text: 'late' } }])),
        },
        {
          ...base,
          method: 'POST',
          path: 'huge',
          args: { bytes: { schema: z.number(), required: true } },
          command: ({ model, params }) => {
            const text = 'x'.repeat(Number(params['bytes']));
            model.stage(notes, [{ type: 'rough.Written', data: { text } }]);
            return {};
          },
        },
      ],
    },
  ],
});
