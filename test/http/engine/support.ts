import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { asciiJson } from '#text/json.ts';
import { buildApp } from '../../../src/http/app/app.ts';
import { fault } from '../../../src/http/engine/faults.ts';
import type { EngineHost } from '../../../src/http/engine/host.ts';
import { pagingHeaders } from '../../../src/http/engine/listing.ts';
import { statusOf } from '../../../src/http/engine/problem.ts';
import type { KeptAnswer } from '../../../src/http/engine/retry.ts';
import { indexRoutes } from '../../../src/http/engine/siteindex.ts';
import type { Answer, Args, Call, Rec, Route } from '../../../src/http/engine/types.ts';

/** A small site of notes: exercises the whole engine without any of the real resources. */
export interface Note {
  readonly id: number;
  readonly title: string;
  readonly owner: number;
  readonly hidden: boolean;
  readonly version: number;
}
export interface Model {
  readonly position: number;
  readonly notes: ReadonlyMap<number, Note>;
}
export interface Session extends Model {
  readonly stage: (id: number, note: Note | null) => void;
}

export const SITE = 'http://notes.example';
export const BASE = `${SITE}/cms-json`;
export const OWNER: Viewer = { id: 1, role: 'author' };
export const OTHER: Viewer = { id: 2, role: 'subscriber' };

export interface Site {
  readonly app: FastifyInstance;
  readonly host: EngineHost<Model, Session>;
  /** How often each query was executed. */
  readonly asked: Map<string, number>;
  /** The context of the last write. */
  readonly written: { correlationId?: string };
  siteUrl: string;
  /** Thrown by the next write. */
  fault: Error | null;
}

export function createSite(
  options: {
    readonly cacheBytes?: number;
    readonly compress?: boolean;
    readonly bodyLimit?: number;
    readonly bodiesLimit?: number;
    readonly bodyTimeout?: number;
  } = {},
): Site {
  const asked = new Map<string, number>();
  const past: Model[] = [];
  const stamps = new Map<string, number>();
  let model: Model = { position: 0, notes: new Map() };
  const written: Site['written'] = {};
  const answers = new Map<string, KeptAnswer>();
  const host: EngineHost<Model, Session> = {
    model: () => model,
    modelAt: (asOf) => past[Number(asOf)] ?? refuse('rest_invalid_param', 'There was no such moment.'),
    modelAfter: () => model,
    submit: async ({ correlationId }, work) => {
      await Promise.resolve();
      written.correlationId = correlationId;
      if (site.fault !== null) throw site.fault;
      const notes = new Map(model.notes);
      const staged: number[] = [];
      const value = work({
        position: model.position,
        notes,
        stage: (id, note) => {
          staged.push(id);
          if (note === null) notes.delete(id);
          else notes.set(id, note);
        },
      });
      if (staged.length > 0) {
        past[model.position] = model;
        model = { position: model.position + 1, notes };
        for (const key of ['*', 'notes', ...staged.map((id) => `note-${id}`)])
          stamps.set(key, (stamps.get(key) ?? 0) + 1);
      }
      return { value, position: model.position, wrote: staged.length > 0 };
    },
    // Notes are staged last, so there is nothing to roll back.
    attempt: (_, work) => work(),
    withImmediateReactions: (_, work) => work(),
    keptAnswer: (_, key) => answers.get(key) ?? null,
    keepAnswer: ({ position }, key, answer) => answers.set(key, { ...answer, position: position + 1 }),
    makeAgain: () => [],
    cacheVersion: (key) => stamps.get(key) ?? 0,
    authenticate: (login, password) => {
      asked.set('authenticate', (asked.get('authenticate') ?? 0) + 1);
      if (password !== 'secret') return null;
      if (login === 'owner') return OWNER;
      return login === 'other' ? OTHER : null;
    },
    usersKey: 'users',
    siteUrl: () => site.siteUrl,
    addresses: () => site.siteUrl,
  };
  const routes = noteRoutes(asked);
  const indexes = indexRoutes(routes, {
    namespaces: ['notes/v1', 'empty/v1'],
    site: () => ({ name: 'Notes', description: '', url: site.siteUrl, home: site.siteUrl, site_icon: 0 }),
    base: () => `${site.siteUrl}/cms-json`,
  });
  const app = buildApp({ host, routes: [...indexes, ...routes], ...options });
  const site: Site = { app, host, asked, written, siteUrl: SITE, fault: null };
  return site;
}

export const asOwner = { authorization: `Basic ${Buffer.from('owner:secret').toString('base64')}` };
export const asOther = { authorization: `Basic ${Buffer.from('other:secret').toString('base64')}` };

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const context = {
  schema: z.enum(['view', 'embed', 'edit']).default('view').describe('Scope under which the request is made.'),
};
const id = { schema: z.int().describe('Identifier of the note.'), pass: 2 as const };

const past = { what: 'the notes', permission: () => null };

const filters: Args<Model> = {
  context,
  page: { schema: z.int().min(1).default(1) },
  per_page: { schema: z.int().min(1).max(100).default(10) },
  search: { schema: z.string() },
  include: { schema: z.array(z.int()).default([]), pass: 2 },
  hidden: { schema: z.boolean(), pass: 2 },
  kind: {
    schema: z.array(z.enum(['plain', 'secret'])).meta({ default: 'plain' }),
    pass: 2,
    check: (value, { viewer }) => {
      const secret = [value].flat().includes('secret') && viewer.id === 0;
      return secret
        ? fault('rest_forbidden_status', 'Forbidden.', { status: statusOf({ code: 'rest_forbidden_status' }, viewer) })
        : null;
    },
  },
};

const fields: Args<Model> = {
  title: { schema: z.object({ raw: z.string().optional() }), unchecked: true },
  hidden: { schema: z.boolean() },
  stamp: { schema: z.string().nullable().meta({ format: 'date-time' }) },
  tags: { schema: z.array(z.int()) },
  meta: {
    schema: z.object({}),
    check: (value) => (typeof value === 'object' ? null : { ...fault('', 'Invalid parameter.'), bare: true }),
  },
};

function noteRoutes(asked: Map<string, number>): readonly Route<Model, Session>[] {
  const count = (name: string) => asked.set(name, (asked.get(name) ?? 0) + 1);
  const visible = ({ params, model, viewer }: Call<Model>): Refusal | null => {
    const note = model.notes.get(Number(params['id']));
    if (note === undefined) return refuse('rest_post_invalid_id', 'Invalid note ID.');
    return note.hidden && note.owner !== viewer.id ? refuse('rest_forbidden', 'Sorry, this is hidden.') : null;
  };
  const owned = (code: string) => (call: Call<Model>) => {
    const note = call.model.notes.get(Number(call.params['id']));
    if (note === undefined) return refuse('rest_post_invalid_id', 'Invalid note ID.');
    return note.owner === call.viewer.id ? null : refuse(code, 'Sorry, this is not yours.');
  };
  const collection: Route<Model, Session> = {
    namespace: 'notes/v1',
    pattern: '/notes/v1/notes',
    schema: () => ({ $schema: 'http://json-schema.org/draft-04/schema#', title: 'note', type: 'object' }),
    endpoints: [
      {
        methods: ['GET'],
        allowBatch: true,
        past,
        args: filters,
        permission: ({ params, viewer }) =>
          params['context'] === 'edit' && viewer.id === 0 ? refuse('rest_forbidden_context', 'No.') : null,
        depends: () => ['notes'],
        query: (call) => {
          count('list');
          return listNotes(call);
        },
      },
      {
        methods: ['POST'],
        allowBatch: true,
        args: fields,
        permission: ({ viewer }) =>
          viewer.role === 'author' ? null : refuse('rest_cannot_create', 'Sorry, you may not.'),
        command: (call) => {
          const title = titleIn(call);
          if (title === '') return refuse('empty_content', 'Nothing to store.');
          const next = Math.max(0, ...call.model.notes.keys()) + 1;
          call.model.stage(next, {
            id: next,
            title,
            owner: call.viewer.id,
            hidden: call.params['hidden'] === true,
            version: 1,
          });
          const answer = showNote(call, next);
          return { ...answer, status: 201, headers: { Location: `${BASE}/notes/v1/notes/${next}` } };
        },
      },
    ],
  };
  const item: Route<Model, Session> = {
    namespace: 'notes/v1',
    pattern: '/notes/v1/notes/(?P<id>[\\d]+)',
    version: ({ model, params }) => String(model.notes.get(Number(params['id']))?.version ?? '') || null,
    endpoints: [
      {
        methods: ['GET'],
        args: { id, context },
        past,
        permission: visible,
        depends: ({ params }) => [`note-${params['id']}`],
        query: (call) => {
          count('item');
          return {
            ...showNote(call, Number(call.params['id'])),
            headers: { Link: `<${SITE}/note>; rel="alternate"; type=text/html` },
          };
        },
      },
      {
        methods: ['POST', 'PUT', 'PATCH'],
        args: { id, ...fields },
        permission: owned('rest_cannot_edit'),
        command: (call) => {
          const note = call.model.notes.get(Number(call.params['id']));
          if (note === undefined) return refuse('rest_post_invalid_id', 'Invalid note ID.');
          call.model.stage(note.id, { ...note, title: titleIn(call) || note.title, version: note.version + 1 });
          return showNote(call, note.id);
        },
      },
      {
        methods: ['DELETE'],
        args: { id, force: { schema: z.boolean().default(false), pass: 2 } },
        permission: owned('rest_cannot_delete'),
        command: (call) => {
          if (call.params['force'] !== true) return refuse('rest_trash_not_supported', 'Notes cannot be trashed.');
          const { body } = showNote(call, Number(call.params['id']));
          call.model.stage(Number(call.params['id']), null);
          return { body: { kind: 'json', value: { deleted: true, previous: body.kind } }, noAllow: true };
        },
      },
    ],
  };
  const odd = (
    pattern: string,
    query: (call: Call<Model>) => Answer | Promise<Answer>,
    args: Args<Model> = {},
  ): Route<Model, Session> => ({
    namespace: 'notes/v1',
    pattern,
    endpoints: [{ methods: ['GET'], args, permission: () => null, query, depends: null }],
  });
  return [
    collection,
    item,
    odd(
      '/notes/v1/people/(?P<id>[\\d]+)',
      ({ params }) => ({ body: { kind: 'record', record: record({ id: params['id'], context: params['context'] }) } }),
      { id, context },
    ),
    odd('/notes/v1/fails', () => {
      throw new Error('a secret detail');
    }),
    odd('/notes/v1/later', async () => ({ body: { kind: 'json', value: 'later' } })),
    odd('/notes/v1/feed', () => ({ body: { kind: 'text', type: 'text/xml; charset=UTF-8', text: '<é/>' } })),
    odd('/notes/v1/null', () => ({ body: { kind: 'json', value: null } })),
    odd('/notes/v1/need', ({ params }) => ({ body: { kind: 'json', value: params } }), {
      url: { schema: z.url(), required: true },
      size: { schema: z.unknown().default(600) },
    }),
    odd('/notes/v1/word/(?P<word>[\\S]+)/(?P<number>[\\d]+)', ({ params }) => ({
      body: { kind: 'json', value: params },
    })),
    odd('/notes/v1/shelf(?:/(?P<reset>reset))?', ({ params }) => ({
      body: { kind: 'json', value: { reset: params['reset'] ?? null } },
    })),
    odd('/notes/v1/spot/(?P<version>[\\w\\d-]*)/(?P<design>[\\w\\d-]+)', ({ params }) => ({
      body: { kind: 'json', value: params },
    })),
    {
      namespace: 'notes/v1',
      pattern: '/notes/v1/echo',
      endpoints: [
        {
          methods: ['POST', 'DELETE'],
          args: {},
          permission: () => null,
          command: ({ params, request }) => ({
            body: {
              kind: 'json',
              value: {
                params,
                files: request.files.map(({ field, name, type, bytes }) => [field, name, type, bytes.length]),
                bytes: request.body.length,
              },
            },
          }),
        },
      ],
    },
  ];
}

function listNotes(call: Call<Model>): Answer | Refusal {
  const { page, per_page: size, include } = call.params as { page: number; per_page: number; include: number[] };
  const all = [...call.model.notes.values()].filter(
    (note) => !note.hidden && (include.length === 0 || include.includes(note.id)),
  );
  const pages = Math.ceil(all.length / size);
  if (page > pages && all.length > 0) return refuse('rest_post_invalid_page_number', 'Too far.');
  const records = all.slice((page - 1) * size, page * size).map((note) => noteRecord(note, call));
  return {
    body: { kind: 'list', records },
    headers: pagingHeaders(call, { url: `${BASE}/notes/v1/notes`, page, total: all.length, pages, prefix: 'X-CMS' }),
  };
}

function showNote(call: Call<Model>, key: number): Answer {
  const note = call.model.notes.get(key);
  if (note === undefined) throw new Error(`no note ${key}`);
  return { body: { kind: 'record', record: noteRecord(note, call) }, version: String(note.version) };
}

function noteRecord(note: Note, { params }: Call<Model>): Rec {
  const title = { rendered: note.title, ...(params['context'] === 'edit' ? { raw: note.title } : {}) };
  return record({
    id: note.id,
    title,
    hidden: note.hidden,
    tags: [3, 5],
    _links: {
      self: [{ href: `${BASE}/notes/v1/notes/${note.id}` }],
      owner: [{ embeddable: true, href: `${BASE}/notes/v1/people/${note.owner}` }],
      twin: [{ embeddable: true, href: `${BASE}/notes/v1/notes/${note.id + 1}` }, { href: `${BASE}/none` }],
      replies: [{ embeddable: true, href: `${BASE}/notes/v1/nowhere` }],
      away: [{ embeddable: true, href: 'http://other.example/' }],
    },
  });
}

/** Makes a record of plain values. */
export function record(values: Readonly<Record<string, unknown>>): Rec {
  return { names: Object.keys(values), json: (name) => asciiJson(values[name]) };
}

function titleIn({ params }: Call<Model>): string {
  const title = params['title'];
  return typeof title === 'object' && title !== null && 'raw' in title ? text(title.raw) : text(title);
}
