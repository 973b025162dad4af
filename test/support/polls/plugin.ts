import { createHash } from 'node:crypto';
import {
  cleanIcon,
  defineArea,
  defineEvent,
  definePlugin,
  type EventOf,
  html,
  ofTheSite,
  ofUser,
  refuse,
  reply,
  z,
} from 'palimpsest/plugin';

const Opened = defineEvent({
  type: 'polls.Opened',
  summary: 'A poll was opened.',
  schema: z.object({ poll: z.string() }),
});

const Voted = defineEvent({
  type: 'polls.Voted',
  summary: 'Somebody chose an answer.',
  schema: z.object({ poll: z.string(), choice: z.string() }),
  sealed: ['choice'],
  erased: { choice: '' },
  subjects: (_, { actor }) => (actor === null || actor === 0 ? ofTheSite() : [ofUser(actor)]),
});

type PollEvent = EventOf<typeof Opened> | EventOf<typeof Voted>;

const none: { readonly votes: readonly string[]; readonly isOpen: boolean } = { votes: [], isOpen: false };

const polls = defineArea({
  name: 'polls.polls',
  events: [Opened, Voted],
  empty: none,
  keysOf: ({ data }: PollEvent) => [data.poll],
  evolve: (state, event: PollEvent) =>
    event.type === 'polls.Opened'
      ? { ...state, isOpen: true }
      : { ...state, votes: [...state.votes, event.data.choice] },
});

const newCounter = () => ({ seen: 0 });

const pollSettings = z.object({ limit: z.int().min(1).default(2) });

const id = { schema: z.string().min(1) };

function squareOf({ side }: Readonly<Record<string, unknown>>) {
  if (typeof side !== 'number') throw new TypeError('side is not converted');
  return { width: side, height: side };
}

export const plugin = definePlugin({
  name: 'polls',
  settings: pollSettings,
  secrets: ['POLLS_SECRET'],
  listed: { slug: 'polls', name: 'Polls' },
  areas: [polls],
  namespaces: [
    {
      name: 'polls/v1',
      routes: [
        {
          method: 'POST',
          path: 'polls/(?P<id>[a-z]+)/votes',
          summary: 'Vote',
          access: 'user',
          args: {
            id,
            choice: {
              schema: z.unknown(),
              sent: z.string(),
              hidden: true,
              check: (value) =>
                typeof value === 'string' ? null : { code: 'no_choice', message: 'choice is not a text.' },
            },
          },
          answers: z.object({ votes: z.int() }),
          command: ({ model, params, settings }) => {
            const poll = String(params['id']);
            const { votes } = model.document(polls, poll);
            if (votes.length >= settings(pollSettings).limit) {
              return reply({ votes: votes.length }, { status: 202, headers: { 'X-Full': 'yes' }, idle: true });
            }
            model.stage(polls, [{ type: 'polls.Voted', data: { poll, choice: String(params['choice']) } }]);
            return reply({ votes: votes.length + 1 }, { status: 201 });
          },
        },
        {
          method: 'POST',
          path: 'signed',
          summary: 'Count requests that have a body, each once',
          access: ({ request }) =>
            request.header('x-poll') === `${request.method} ${request.path} ${request.body.length}`
              ? null
              : refuse('polls_unsigned', 'This is not signed.', { peer: request.peer }, 418),
          asAnonymous: true,
          answers: z.object({ seen: z.int(), staged: z.boolean() }),
          command: ({ model, memory, request }) => {
            const key = createHash('sha256').update(request.body).digest('hex');
            if (model.isKept(key)) return refuse('polls_repeated', 'This was counted.', undefined, 409);
            const counter = memory(newCounter);
            counter.seen += 1;
            model.stage(polls, [{ type: 'polls.Opened', data: { poll: `signed-${counter.seen}` } }]);
            model.keep(key, null);
            return { seen: counter.seen, staged: model.hasStaged };
          },
        },
        {
          method: 'GET',
          path: 'files/(?P<id>\\d+)',
          summary: 'Show the files of a media item',
          access: 'public',
          args: { id: { schema: z.int() } },
          answers: z.looseObject({}),
          query: ({ model, mediaFiles, view, params }) => ({
            ...{ found: mediaFiles(Number(params['id'])), ids: model.mediaIds(['image/png']) },
            ...{ address: view.entry(Number(params['id']))?.address, waiting: model.waitingAssets('vpi') },
          }),
        },
        {
          method: 'POST',
          path: 'images/(?P<id>\\d+)',
          summary: 'Cut an image to a square',
          access: 'user',
          args: {
            id: { schema: z.int() },
            side: {
              schema: z.int().min(1),
              required: true,
              untyped: true,
              check: (side) => (side === 7 ? { code: 'no_seven', message: 'side is seven.' } : null),
            },
          },
          answers: z.object({ url: z.string(), may: z.tuple([z.boolean(), z.boolean()]) }),
          prepare: async ({ params }, images) => images.cut(Number(params['id']), squareOf(params)),
          command: ({ params, mayRead, mayEdit }, images) => {
            const id = Number(params['id']);
            const url = images.address(id, squareOf(params));
            return url === null
              ? refuse('polls_no_image', 'It is no image.')
              : { url, may: [mayRead(id), mayEdit(id)] };
          },
        },
        {
          method: 'GET',
          path: 'badge',
          summary: 'Draw a badge',
          access: 'public',
          answers: z.string(),
          types: ['image/svg+xml'],
          query: () => reply(cleanIcon('<svg><script/><path d="M0 0"/></svg>'), { type: 'image/svg+xml' }),
        },
        {
          method: 'POST',
          path: 'secret',
          summary: 'Make the address of a page',
          access: 'admin',
          answers: z.string(),
          unkept: true,
          command: ({ model }) => {
            const poll = model.newSecret();
            model.stage(polls, [{ type: 'polls.Opened', data: { poll } }]);
            return poll;
          },
        },
        {
          method: 'POST',
          path: 'theme',
          summary: 'Switch to a theme of its own, and the shop on',
          access: 'admin',
          args: { fonts: { schema: z.array(z.string()), unchecked: true } },
          answers: z.literal(true),
          command: ({ model, params }) => {
            model.installTheme({ slug: 'own', name: 'Own', fonts: params['fonts'] as string[] });
            model.switchTheme('own');
            model.activatePlugin('shop');
            return true;
          },
        },
        {
          method: 'GET',
          path: 'about',
          summary: 'Tell about the caller and the site',
          access: 'public',
          unlisted: true,
          answers: z.looseObject({}),
          query: ({ model, may, now, secret, server, plugins, theme, themes, view }) => ({
            ...{ isAdmin: may('admin'), now, secret: secret('POLLS_SECRET'), version: server.versions.cms },
            ...{ plugins: plugins().map(({ slug }) => slug), theme: theme()?.slug },
            ...{ users: model.users().map(({ slug }) => slug), themes: themes().length },
            ...{ titles: model.find({ kind: 'post', limit: 1 }).ids.map((id) => view.entry(id)?.summary()) },
            ...{ pictures: model.media({ type: 'image/', limit: 1 }).map(({ id }) => view.image(id, 'full')?.url) },
            ...{ posts: model.find({ kind: 'post', limit: 1 }).ids.map((id) => [model.texts(id), view.text(id)]) },
            tagged: model.find({
              kind: 'post',
              terms: [{ mode: 'any', terms: [model.termBySlug('post_tag', 'tea')?.id ?? 0], below: true }],
              limit: 9,
            }).total,
            ...{ media: model.media({ type: 'image/', limit: 9 }).map(({ type }) => type) },
            ...{ url: model.interfaceUrl(), own: model.interfaceUrl('cms/v2'), tokens: model.tokens().length },
          }),
        },
        {
          method: 'GET',
          path: 'polls/(?P<id>[a-z]+)',
          summary: 'Show a poll, which its first request opens',
          access: 'public',
          args: { id },
          answers: z.object({ open: z.boolean(), steps: z.int() }),
          due: ({ model, params }) => !model.document(polls, String(params['id'])).isOpen,
          begin: ({ model, params }) =>
            model.stage(polls, [{ type: 'polls.Opened', data: { poll: String(params['id']) } }]),
          query: ({ model, params }) => ({
            open: model.document(polls, String(params['id'])).isOpen,
            steps: (model.documentOf('host-onboarding') as { done: [] }).done.length,
          }),
        },
      ],
    },
  ],
  hiddenPages: [
    {
      path: 'polls/(?P<poll>[\\da-f]{64})',
      show: ({ model, params, publicView, now }) =>
        model.document(polls, params['poll'] as string).isOpen
          ? {
              title: `Poll of ${model.site().name} & ${new Date(now).getUTCFullYear()}`,
              content: `<!-- wp:paragraph --><p>${publicView.contactForms().length} forms</p><!-- /wp:paragraph -->`,
            }
          : null,
    },
  ],
  pageStyles: ({ texts }, place) => {
    const declarations = [
      ['--isOpen', 1],
      ['color', 'red } body { display: none'],
    ] as const;
    if (place === 'around') return [{ selector: 'nav', declarations, maxWidth: 300 }];
    return texts(place.entry)?.excerpt === 'e' ? [{ selector: 'b', declarations: [['fontWeight', 400]] }] : [];
  },
  reactions: [
    {
      to: ['EntryCreated'],
      react: ({ events }, before) => {
        const count = before.documents(polls).size;
        return (model) => {
          for (const { data } of events.filter(({ type }) => type === 'EntryCreated')) {
            model.stage(polls, [{ type: 'polls.Opened', data: { poll: `after-${count}-${String(data['kind'])}` } }]);
          }
        };
      },
    },
  ],
  jobs: [
    () => ({
      name: 'polls-closing',
      isDue: (model) => !model.document(polls, 'fetched').isOpen,
      async work({ model, settings, fetch, submit }) {
        const got = await fetch('http://polls.example/', { accept: 'text/plain', maxBytes: 100 });
        if (!got.ok || model().document(polls, 'fetched').isOpen) return false;
        const choice = `${Buffer.from(got.body).toString()} ${settings(pollSettings).limit}`;
        await submit((session) => session.stage(polls, [{ type: 'polls.Voted', data: { poll: 'fetched', choice } }]));
        return true;
      },
    }),
  ],
  pages: [
    {
      path: 'polls-all',
      title: 'All polls',
      show: ({ model, latest, time }) => html`<h1>All polls</h1>
<p>${[...model.documents(polls).keys()].join(', ')}</p>
<ul>${latest(polls, 3).map(({ at, event }) => html`<li>${time(at)} ${event.type === 'polls.Voted' ? event.data.choice : null}</li>`)}</ul>`,
    },
  ],
});
