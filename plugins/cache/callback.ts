import type { PluginArg, PluginCall, PluginReply, PluginRoute, PluginSession, z } from 'palimpsest/plugin';
import { cacheCloud } from './cloud/area.ts';
import { type Notice, takeNotes } from './cloud/decide.ts';
import { acceptSignature, checkSignature, replayed, signatureIn } from './signature.ts';
import { type CallbackParams, isMap } from './values.ts';

interface Callback {
  readonly path: string;
  readonly summary: string;
  readonly service: string;
  readonly args?: Readonly<Record<string, PluginArg>>;
  readonly answers: z.ZodType;
  readonly handle: (call: PluginCall<PluginSession>) => PluginReply;
}

/** A route that only the cache service can use, each signature only once. */
export function callback({ path, summary, service, args = {}, answers, handle }: Callback): PluginRoute {
  return {
    method: 'POST',
    path,
    summary,
    access: checkSignature,
    args,
    answers,
    asAnonymous: true,
    command: (call) => {
      const { model, params } = call;
      const digest = signatureIn(call);
      if (model.isKept(digest)) return replayed;
      const answer = handle(call);
      model.stage(cacheCloud, takeNotes(model.document(cacheCloud), service, notesIn(params)));
      // The signature enters the log together with the effects, so that a copy has no effect on any node. Without effects, the service may
      // send it again if the answer got lost.
      if (model.hasStaged) model.keep(digest, answer.value);
      else acceptSignature(call);
      return answer;
    },
  };
}

/** Characters. */
const longestNotice = 2000;
/** Characters of JSON. */
const largestUsage = 4096;
const noticeFields = { _info: 'info', _note: 'note', _success: 'success' } as const;

function notesIn(params: CallbackParams): Parameters<typeof takeNotes>[2] {
  const notices = Object.entries(noticeFields).flatMap(([name, level]): Notice[] => {
    const text = params[name];
    return typeof text === 'string' && text !== '' ? [{ level, text: beginningOf(text, longestNotice) }] : [];
  });
  const carried = params['_carry_on'];
  const usage = isMap(carried) ? carried['usage'] : undefined;
  const isUsable = usage !== undefined && usage !== null && JSON.stringify(usage).length <= largestUsage;
  return { notices, usage: isUsable ? (usage as Parameters<typeof takeNotes>[2]['usage']) : undefined };
}

/** The first characters of a text, with an ellipsis if it is longer. */
function beginningOf(text: string, characters: number): string {
  const all = Array.from(text);
  if (all.length <= characters) return text;
  const kept = all.slice(0, characters - 1).join('');
  return `${kept.trimEnd()}…`;
}
