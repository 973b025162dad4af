import { definePlugin, z } from 'palimpsest/plugin';
import { book, sign } from './book.ts';

export const plugin = definePlugin({
  name: 'guestbook',
  areas: [book],
  namespaces: [
    {
      name: 'guestbook/v1',
      routes: [
        {
          method: 'GET',
          path: 'entries',
          summary: 'Show who said what',
          access: 'public',
          answers: z.array(z.object({ user: z.string(), words: z.string() })),
          query: ({ model }) => {
            const { entries } = model.document(book);
            return entries.map(({ user, words }) => ({ user: model.user(user)?.displayName ?? '', words }));
          },
        },
        {
          method: 'POST',
          path: 'sign',
          summary: 'Leave a few words',
          access: 'user',
          args: { words: { schema: z.string().min(1).max(200), required: true } },
          answers: z.object({ signed: z.literal(true) }),
          command: ({ model, user, params }) => {
            model.stage(book, sign(model.document(book), { user, words: String(params['words']) }));
            return { signed: true };
          },
        },
      ],
    },
  ],
});
