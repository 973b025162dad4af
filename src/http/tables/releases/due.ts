import { dueReleases, holdUpRelease, releaseIn } from '#commands/releases.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { type InterfaceNames, namespaceName } from '#domain/site/interface-names.ts';
import { gmtNow } from '#domain/time/local.ts';
import { anonymous, viewerOf } from '#domain/user/roles.ts';
import { type Fail, regularly, type Stop } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { isRecord } from '#text/shapes.ts';
import type { Engine } from '../../engine/engine.ts';

export interface DueParts {
  readonly engine: Pick<Engine, 'answer'>;
  readonly store: {
    readonly reader: Model;
    submit(context: WriteContext, work: (session: Session) => void): Promise<unknown>;
  };
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly names: InterfaceNames;
  readonly onFault: Fail;
}

/** How often the clock is looked at, in milliseconds; and after a failure. */
const [tick, afterFault] = [500, 5000];

/** Publishes releases at their time, also those whose time came while no server ran. Returns a function that ends it. */
export function startReleases(parts: DueParts): Stop {
  return regularly(() => publishDue(parts), { first: tick, pause: tick, afterFault }, parts.onFault);
}

async function publishDue(parts: DueParts): Promise<void> {
  const { store, clock } = parts;
  for (const id of dueReleases(store.reader, gmtNow(clock()))) await publishAtItsTime(id, parts);
}

/** Publishes a release in the name of whoever began it. If something is in the way, it waits for somebody, without a time. */
async function publishAtItsTime(id: number, { engine, store, names }: DueParts): Promise<void> {
  const release = releaseIn(store.reader, id);
  const user = isRefusal(release) ? undefined : store.reader.user(release.by);
  const path = `/${namespaceName(names, CONTENT)}/releases/${id}/publish`;
  const { reply } = await engine.answer({
    method: 'POST',
    url: path,
    path,
    query: '',
    viewer: user === undefined || user.disabled ? anonymous : viewerOf(user),
    correlationId: 'schedule',
    headers: {},
    body: Buffer.alloc(0),
  });
  const answer: unknown = JSON.parse(reply.body.toString('utf8'));
  reply.release?.();
  if (reply.status < 400) return;
  if (reply.status >= 500) throw new Error(`release ${id} was not published at its time: ${reply.status}`);
  const code = isRecord(answer) ? String(answer['code']) : '';
  await store.submit({ viewer: null, correlationId: 'schedule' }, (session) => {
    const now = releaseIn(session, id);
    // Another node may have published it.
    if (!isRefusal(now) && now.status === 'open' && now.at !== null) holdUpRelease(session, id, code);
  });
}
