import { authenticate } from '#commands/credentials.ts';
import { keepAnswer, keptAnswer } from '#commands/requests.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import type { Written } from '#commands/writer.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/model.ts';
import type { Stamps } from '#projections/stamps.ts';
import type { Host } from './engine/types.ts';

/** What the HTTP layer reads from and writes to. */
export interface Store {
  readonly reader: Model;
  readonly stamps: Stamps;
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** The site as it stood at a position or time. */
  at(asOf: string): Model | Refusal;
}

/** The store as the engine knows it. */
export function hostOf(store: Store): Host<Model, Session> {
  return {
    model: () => store.reader,
    modelAt: (asOf) => store.at(asOf),
    submit: (context, work) => store.submit(context, work),
    attempt: (session, work) => session.attempt(work),
    keptAnswer,
    keepAnswer,
    stamp: (key) => store.stamps.of(key),
    authenticate: (login, password) => authenticate(store.reader, login, password),
    usersKey: 'users',
    siteUrl: () => store.reader.site().url,
  };
}
