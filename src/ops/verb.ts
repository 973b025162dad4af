import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Session, WriteContext } from '#commands/session.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Garbage } from '#media/garbage.ts';
import type { Model } from '#projections/model.ts';

/** What verbs work on: the store of a running server, or one opened for this verb alone. */
export interface Store {
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<{ value: T; position: number }>;
  readonly reader: Model;
  readonly garbage: Garbage;
}

/** A verb of the command line. The same table serves the control socket, so the two cannot drift apart. */
export interface Verb {
  /** One or two words, as typed. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, for a person who needs a pattern. */
  readonly example: string;
  /** Arguments that are given by their place, in order; all others are options. */
  readonly positionals: readonly string[];
  readonly args: z.ZodObject;
  /** Checks the arguments and does the work. The value is a record or a list of records, or a refusal. */
  readonly run: (store: Store, args: unknown) => Promise<unknown>;
}

/** Arguments that a verb does not take. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Describes a verb. Arguments and options are texts; `describe` on each says what it is. */
export function defineVerb<S extends z.ZodObject>(verb: {
  name: string;
  summary: string;
  example: string;
  positionals?: readonly (keyof z.infer<S> & string)[];
  args: S;
  run: (store: Store, args: z.infer<S>) => Promise<unknown>;
}): Verb {
  return {
    positionals: [],
    ...verb,
    run: async (store, given) => {
      const args = verb.args.strict().safeParse(given);
      if (!args.success) throw new UsageError(args.error.issues.map(complaint).join('\n'));
      return verb.run(store, args.data as z.infer<S>);
    },
  };
}

/** Does work on behalf of the operator, who is nobody's account, and answers what it answered. */
export async function write<T>(store: Store, work: (session: Session) => T | Refusal): Promise<T | Refusal> {
  const { value } = await store.submit({ viewer: null, correlationId: randomUUID() }, work);
  return value;
}

function complaint(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
