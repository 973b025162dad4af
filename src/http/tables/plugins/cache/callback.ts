import type { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import { keepAnswer, keptAnswer } from '#commands/requests.ts';
import type { Session } from '#commands/session.ts';
import { cacheCloud } from '#domain/plugins/cache-cloud/area.ts';
import { type Notice, takeNotes } from '#domain/plugins/cache-cloud/decide.ts';
import type { Model } from '#projections/reading/model.ts';
import { beginningOf } from '#site/rendering/fragments.ts';
import { asciiJson } from '#text/json.ts';
import { isRecord } from '#text/shapes.ts';
import { JSON_TYPE } from '../../../engine/present.ts';
import type { Answer, Args, Call } from '../../../engine/types.ts';
import type { NamespaceRow } from '../kit/table.ts';
import { type Guard, replayed } from './signature.ts';

interface Callback {
  readonly path: string;
  readonly summary: string;
  readonly service: string;
  readonly args?: Args<Model>;
  readonly answers: z.ZodType;
  readonly handle: (call: Call<Session>) => Answer;
}

/** A route that only the cache service can use, each signature only once. */
export function callback(guard: Guard, { path, summary, service, args = {}, answers, handle }: Callback): NamespaceRow {
  return {
    method: 'POST',
    path,
    summary,
    access: guard.check,
    args,
    answers,
    runsAsAnonymous: true,
    command: (call) => {
      const { model: session, params } = call;
      const digest = guard.digestOf(call);
      if (keptAnswer(session, digest) !== null) return replayed;
      const answer = handle(call);
      stageIn(session, cacheCloud, takeNotes(session.plugin(cacheCloud), service, notesIn(params)));
      // A callback with effects is recorded in the log, and only if its commit succeeds: otherwise the service may send it again.
      if (session.hasStaged) keepAnswer(session, digest, keptForm(digest, answer));
      else guard.accept(call);
      return answer;
    },
  };
}

/** The signature enters the log together with the effects, so that a copy has no effect on any node. */
function keptForm(digest: string, { body }: Answer): Parameters<typeof keepAnswer>[2] {
  const text = body.kind === 'json' ? asciiJson(body.value) : '';
  return { request: digest, status: 200, headers: {}, type: JSON_TYPE, body: text };
}

/** Characters. */
const longestNotice = 2000;
/** Characters of JSON. */
const largestUsage = 4096;
const noticeFields = { _info: 'info', _note: 'note', _success: 'success' } as const;

function notesIn(params: Call<Session>['params']): Parameters<typeof takeNotes>[2] {
  const notices = Object.entries(noticeFields).flatMap(([name, level]): Notice[] => {
    const text = params[name];
    return typeof text === 'string' && text !== '' ? [{ level, text: beginningOf(text, longestNotice) }] : [];
  });
  const carried = params['_carry_on'];
  const usage = isRecord(carried) ? carried['usage'] : undefined;
  const isUsable = usage !== undefined && usage !== null && JSON.stringify(usage).length <= largestUsage;
  return { notices, usage: isUsable ? (usage as Parameters<typeof takeNotes>[2]['usage']) : undefined };
}

/** Members of a map or a list; none for any other value. */
export function entriesOf(data: unknown): readonly (readonly [string, unknown])[] {
  return typeof data === 'object' && data !== null ? Object.entries(data) : [];
}

/** A parameter as a text; '' if absent. */
export function callbackText(params: Call<Session>['params'], name: string): string {
  const value = params[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
