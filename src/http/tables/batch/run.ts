import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import type { JsonText } from '#text/json.ts';
import { envelope } from '../../engine/envelope.ts';
import type { Inner, InnerAnswer, InnerCall } from '../../engine/inner-calls.ts';
import type { Answer, Call } from '../../engine/types.ts';
import type { BatchItem } from './args.ts';
import { requestOf } from './requests.ts';

const NOT_ALL = refuse('rest_batch_incomplete', 'Not all requests can be carried out.');
const NO_HEADERS = {};

/**
 * Carries out several requests in one session, so that their changes are one commit. All are checked before the first is carried
 * out. Validation `normal`: each succeeds or fails on its own; `require-all-validate`: all or none.
 */
export function runBatch({ params }: Call<unknown>, inner: Inner): Answer {
  const calls = (params['requests'] as readonly BatchItem[]).map((item) => inner.prepare(requestOf(item)));
  return params['validation'] === 'require-all-validate' ? runAll(calls, inner) : runEach(calls);
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
