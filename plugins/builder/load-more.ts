import { type MorePosts, type PluginCall, type PluginReader, reply, z } from 'palimpsest/plugin';
import { lenientParam } from './fields.ts';

export const queryId = lenientParam('bldQueryId', z.string().max(500));
export const pageNumber = lenientParam('page', z.int().min(1).max(1_000_000));
export const wantedCount = lenientParam('num', z.int().min(1).max(1_000_000));

/** The posts after those that a block shows, in its template; `''` if there is no such block. */
export function loadMore(call: PluginCall<PluginReader>) {
  const pages = { page: pageNumber.of(call) ?? 2, limit: wantedCount.of(call) };
  const found = call.view.morePosts(queryId.of(call) ?? '', pages);
  return found instanceof Promise ? found.then(answerWith) : answerWith(found);
}

function answerWith(found: MorePosts | null) {
  if (found === null) return reply('');
  return reply(found.shown.markup, { headers: { 'X-BLD-Total_Posts': String(found.total) } });
}
