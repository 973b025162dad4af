import type { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may, type Right, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Arg, Args, Call, Endpoint, Method, Route, Upload } from '../../../engine/types.ts';

const rights = {
  public: null,
  user: 'read',
  editPosts: 'edit_posts',
  editOthers: 'edit_others_posts',
  admin: 'manage_options',
} as const satisfies Record<string, Right | null>;

const DENIED = refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');

export type Result = Answer | Refusal;

interface RowBase {
  readonly method: Extract<Method, 'GET' | 'POST' | 'DELETE'>;
  readonly path: string;
  readonly summary: string;
  readonly access: Access | Permission;
  readonly args?: Args<Model>;
  /** The exact schema of a successful response. */
  readonly answers: z.ZodType;
  readonly types?: readonly string[];
  readonly unkept?: true;
}

/** One route of a plugin. What `command` stages is one commit, whatever the method. */
export type NamespaceRow = RowBase &
  (
    | { readonly query: (call: Call<Model>) => Result | Promise<Result> }
    /** `runsAsAnonymous`: carried out as anonymous, whoever is logged in. */
    | { readonly command: (call: Call<Session>) => Result; readonly runsAsAnonymous?: true }
    /** Shows something that is created on the first request: `due` tells whether it must be created now. */
    | {
        readonly due: (model: Model, call: Call<Model>) => boolean;
        readonly begin: (session: Session, call: Call<Session>) => void;
        readonly show: (model: Model, call: Call<Model>) => Answer;
      }
    | { readonly work: () => Upload<Model, Session> }
  );

/** The routes of a namespace. Answers of plugins are never cached. */
export function tableOf(namespace: string, rows: readonly NamespaceRow[]): readonly Route<Model, Session>[] {
  const byPath = Map.groupBy(rows, ({ path }) => path);
  return [...byPath].map(([path, own]) => ({
    namespace,
    pattern: `/${namespace}/${path}`,
    endpoints: own.map(endpointOf),
  }));
}

function endpointOf(row: NamespaceRow): Endpoint<Model, Session> {
  const { method, summary, access, answers, args = {}, unkept, types } = row;
  const permission = typeof access === 'function' ? access : permissionFor(access);
  const secret = unkept === undefined ? {} : { unkept };
  const base = { methods: [method], summary, args, permission, answers, status: 200, ...(types && { types }) };
  if ('work' in row) return { ...base, takesFrom: () => false, fileless: true, upload: row.work };
  if ('query' in row) return { ...base, query: row.query, depends: null };
  if ('command' in row) {
    const { command, runsAsAnonymous } = row;
    return runsAsAnonymous === undefined
      ? { ...base, ...secret, command }
      : { ...base, ...secret, command, runsAsAnonymous };
  }
  const { due, begin, show } = row;
  return {
    ...base,
    ...secret,
    command: (call) => {
      if (due(call.model, call)) begin(call.model, call);
      return show(call.model, call);
    },
    unwritten: (call) => (due(call.model, call) ? null : show(call.model, call)),
  };
}

/** A parameter that only the handler checks and only the documentation lists. */
export function documented(schema: z.ZodType): Arg<Model> {
  return { schema, hidden: true, unchecked: true };
}

type Access = keyof typeof rights;

type Permission = (call: Call<Model>) => Refusal | null;

export function mayCall(viewer: Viewer, access: Access): boolean {
  const right = rights[access];
  return right === null || may(viewer, right);
}

function permissionFor(access: Access): Permission {
  return ({ viewer }) => (mayCall(viewer, access) ? null : DENIED);
}
