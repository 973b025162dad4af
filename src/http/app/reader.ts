import type { Session } from '#commands/session.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { defaultNames } from '#domain/site/interface-names.ts';
import type { Model } from '#projections/reading/model.ts';
import { Cost, unspent, withCost } from '#text/cost.ts';
import { type Visited, visitPast } from '../audit/visit.ts';
import type { AnswerCache, NewKept } from '../engine/cache.ts';
import type { LateMade, LateWork, PoolAnswer, PoolPage, PoolRead, PoolReply } from '../engine/pool.ts';
import type { Reply } from '../engine/reply.ts';
import { madePage } from '../pages/kept.ts';
import { plainPageAt } from '../pages/server.ts';
import type { PageReply } from '../server/page-reply.ts';
import { renderAgain } from '../tables/rendering.ts';
import type { AppOptions } from './app.ts';
import { engineOf } from './parts.ts';

/** Answers reads that another thread has passed on. `position` is added by whoever knows it. */
export interface ReaderApp {
  read(read: PoolRead): Promise<Omit<PoolAnswer, 'position'>>;
  page(url: string): Promise<Omit<PoolPage, 'position'>>;
  /** See `visitPast`. */
  visit(address: string): PageReply | Refusal;
  late(work: LateWork): LateMade;
}

/** Attempts at passwords are withCost where the request came in. */
export function createReaderApp(
  options: AppOptions<Model, Session> & {
    readonly pages: () => Model;
    readonly unavailable: () => never;
    readonly audited: Visited;
  },
): ReaderApp {
  const { names = defaultNames, host, pages: model, audited, unavailable, clock = Date.now } = options;
  let kept: NewKept | null = null;
  const cache: AnswerCache = {
    bytes: 0,
    find: () => null,
    keep: (_, __, answer) => {
      kept = answer;
    },
    prepare: () => false,
    compressed: async () => null,
  };
  const onFault = (error: unknown) => {
    throw error;
  };
  const engine = engineOf({ ...options, compress: false }, { names, root: `/${names.root}`, cache, onFault });
  return {
    async read(read) {
      kept = null;
      const body = Buffer.from(read.body ?? []);
      const request = { ...read, body, attempt: unavailable, ahead: true as const };
      const { reply, route, isTruncated = false, isText = false, isSecret = false } = await engine.answer(request);
      if (reply.pieces !== undefined) unavailable();
      const depends = (kept as NewKept | null)?.versions.map(({ key }) => key) ?? null;
      return { reply: movable(reply), route, isTruncated, isText, depends, isSecret };
    },
    async page(url) {
      const { fonts, asOf, visitorComments: takesComments = false } = options;
      const { reply, lasts } = madePage(() => plainPageAt(url, { model, clock, fonts, asOf, takesComments }));
      return { reply: movable(reply), lasts };
    },
    visit: (address) => visitPast(address, { store: audited, fonts: options.fonts }),
    late({ groups, viewer, position, cost = unspent }) {
      const at = host.modelAfter(position);
      const spent = new Cost(cost);
      const ofGroup = (texts: LateWork['groups'][number], group: number) =>
        renderAgain(
          at,
          viewer,
          texts.map((text) => ({ ...text, group })),
        );
      const made = withCost(spent, () => groups.map(ofGroup));
      return { groups: made, cost: spent.standing };
    },
  };
}

/** A reply that can be sent to another thread, with bytes of its own. */
function movable({ status, head, body, tag, release }: Reply): PoolReply {
  const own = new Uint8Array(body);
  release?.();
  return { status, head, body: own, tag };
}
