import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { JsonText } from '#text/json.ts';
import { parseQuery } from '#text/query-string.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import type { Answer, Args, Call, Inner, InnerAnswer, InnerCall, InnerRequest, Route } from '../../engine/types.ts';
import { validate } from '../../engine/validate.ts';
import { envelope } from '../../message/envelope.ts';

interface BatchItem {
  readonly method?: (typeof withReads)[number];
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Scheme and host of an address. */
const ORIGIN = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]+/i;

const requests = new WeakMap<BatchItem, InnerRequest>();

const NOT_ALL = refuse('rest_batch_incomplete', 'Not all requests can be carried out.');
const NO_HEADERS = {};

/** Maximum requests per batch. */
const max = 25;

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const withReads = ['GET', ...methods] as const;

const itemOf = <T extends z.ZodType>(method: T) =>
  z.object({
    method,
    path: z.string(),
    body: z.looseObject({}).optional(),
    headers: z
      .object({})
      .catchall(z.union([z.string(), z.array(z.string())]))
      .optional(),
  });
const writes = z.array(itemOf(z.enum(methods).default('POST'))).max(max);
/** Where reads are among them, a request says what it is. */
const mixed = z.array(itemOf(z.enum(withReads))).max(max);
/** How a flag may be sent. */
const ON: readonly unknown[] = [true, 'true', 1, '1'];

/** The parameters of a batch (interface behaviour, section 21). */
const batchArgs: Args<unknown> = {
  validation: { schema: z.enum(['require-all-validate', 'normal']).default('normal'), pass: 2 },
  requests: {
    schema: writes,
    required: true,
    pass: 2,
    check: (value, { params }) =>
      validate(value, descriptorOf(ON.includes(params['reads']) ? mixed : writes), 'requests'),
  },
  reads: {
    schema: z.boolean().default(false).describe('An addition: reads are allowed among the requests.'),
    hidden: true,
    pass: 2,
  },
};

export function batchRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      namespace: '',
      pattern: '/batch/v1',
      endpoints: [
        {
          methods: ['POST'],
          summary: 'Carry out several writes in one commit',
          status: 207,
          args: batchArgs,
          permission: () => null,
          unwritten: runReads,
          command: runBatch,
          requests: requestsOf,
        },
      ],
    },
  ];
}

/**
 * Carries out several requests in one session, so that their changes are one commit. All are checked before the first is carried
 * out. Validation `normal`: each succeeds or fails on its own; `require-all-validate`: all or none.
 */
function runBatch(call: Call<unknown>, inner: Inner): Answer {
  const { params } = call;
  const calls = requestsOf(call).map(inner.prepare);
  return params['validation'] === 'require-all-validate' ? runAll(calls, inner) : runEach(calls);
}

/** A batch of reads alone needs no session: all of them see one state. */
function runReads(call: Call<unknown>, inner: Pick<Inner, 'prepare'>): Answer | null {
  const all = requestsOf(call);
  return all.length > 0 && all.every(({ method }) => method === 'GET') ? runEach(all.map(inner.prepare)) : null;
}

function requestsOf({ params }: Call<unknown>): readonly InnerRequest[] {
  return (params['requests'] as readonly BatchItem[]).map(requestOf);
}

function runEach(calls: readonly InnerCall[]): Answer {
  return done(calls.map((call) => call.run()));
}

/** Stricter than the reference system, which keeps the changes of the others when a valid request is refused. */
function runAll(calls: readonly InnerCall[], inner: Inner): Answer {
  const faults = calls.map(({ fault }) => fault);
  if (faults.some((fault) => fault !== null)) return failed(faults);
  let answers: readonly InnerAnswer[] = [];
  const outcome = inner.attempt(() => {
    answers = calls.map((call) => call.run());
    return answers.some(({ refused }) => refused) ? NOT_ALL : null;
  });
  return isRefusal(outcome) ? failed(answers.map((answer) => (answer.refused ? answer : null))) : done(answers);
}

function done(answers: readonly InnerAnswer[]): Answer {
  const responses = answers.map(({ body, status, headers }) => envelope(body, status, headers));
  return answerOf(
    { responses: `[${responses.join(',')}]` },
    answers.every(({ idle }) => idle),
  );
}

function failed(faults: readonly (InnerAnswer | null)[]): Answer {
  const responses = faults.map((fault) => (fault === null ? 'null' : envelope(fault.body, fault.status, NO_HEADERS)));
  return answerOf({ failed: '"validation"', responses: `[${responses.join(',')}]` }, true);
}

function answerOf(fields: Readonly<Record<string, JsonText>>, idle: boolean): Answer {
  const record = { names: Object.keys(fields), json: (name: string) => fields[name] ?? 'null' };
  return { status: 207, body: { kind: 'record', record }, ...(idle ? { idle } : {}) };
}

function requestOf(item: BatchItem): InnerRequest {
  const known = requests.get(item);
  if (known !== undefined) return known;
  const request = innerRequest(item);
  requests.set(item, request);
  return request;
}

function innerRequest({ method = 'POST', path: address, body = {}, headers = {} }: BatchItem): InnerRequest {
  const [target = ''] = address.replace(ORIGIN, '').split('#', 1);
  const mark = target.indexOf('?');
  return {
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: parseQuery(mark === -1 ? '' : target.slice(mark + 1)),
    headers: new Map(Object.entries(headers).map(([name, value]) => [headerName(name), [value].flat().join(',')])),
    body,
  };
}

/** Underscores count as hyphens, as in the reference system. */
function headerName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
