import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ClockGuard } from '#commands/clock-guard.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Garbage } from '#media/garbage.ts';
import type { Erasing } from '#node/erasure/erasing.ts';
import type { Rebuilding } from '#node/rebuild/rebuilding.ts';
import type { Transparency } from '#node/tree/transparency.ts';
import type { HookService } from '#node/types.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Config } from '../config.ts';
import { noteCommand } from './operator.ts';
import type { Outcome } from './outcome.ts';
import type { StartProgress } from './progress.ts';

/** The store that verbs work on: of a running server, or opened for one verb. */
export interface VerbStore {
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<{ value: T; position: number }>;
  readonly reader: Model;
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'>;
  readonly clock: Pick<ClockGuard, 'now' | 'leapt' | 'ahead' | 'tolerance' | 'accept'>;
  readonly uses: Pick<PasswordUses, 'of'>;
  readonly garbage: Garbage;
  readonly rebuilding: Rebuilding;
  readonly erasing: Pick<Erasing, 'reach' | 'finish' | 'task'>;
  readonly hooks: HookService;
  readonly transparency: Transparency;
  readonly plugins: Pick<PluginSettings, 'wwwRedirect'>;
}

/** Environment of a verb that runs in the called program, with or without a running server. */
export interface VerbPlace {
  readonly config: Config;
  readonly json: boolean;
  readonly progress: StartProgress;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

interface Described {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  /** Names of the positional arguments, in order; all others are options. */
  readonly positionals: readonly string[];
  readonly args: z.ZodObject;
  /** Polls a state repeatedly, so its calls are not logged. */
  readonly isQuiet?: true;
}

/**
 * A verb on the store. It runs in the server that holds the data directory, if there is one: the control socket uses the same table, so the
 * two cannot diverge.
 */
export interface StoreVerb extends Described {
  /** Validates the arguments and runs. Resolves to a record, a list of records, or a refusal. */
  readonly run: (store: VerbStore, args: unknown) => Promise<unknown>;
}

export interface LocalVerb extends Described {
  /** Validates the arguments and runs. Throws `Stopped` after Ctrl-C. */
  readonly here: (place: VerbPlace, args: unknown) => Promise<Outcome>;
}

export type Verb = StoreVerb | LocalVerb;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Arguments and options are strings, or flags if boolean; `describe` on each documents it. */
interface Description<S extends z.ZodObject> {
  name: string;
  summary: string;
  example: string;
  positionals?: readonly (keyof z.infer<S> & string)[];
  args: S;
  isQuiet?: true;
}

export function defineVerb<S extends z.ZodObject>(
  verb: Description<S> & { run: (store: VerbStore, args: z.infer<S>) => Promise<unknown> },
): StoreVerb {
  return { positionals: [], ...verb, run: async (store, given) => verb.run(store, checked(verb.args, given)) };
}

export function defineLocalVerb<S extends z.ZodObject>(
  verb: Description<S> & { here: (place: VerbPlace, args: z.infer<S>) => Promise<Outcome> },
): LocalVerb {
  return { positionals: [], ...verb, here: async (place, given) => verb.here(place, checked(verb.args, given)) };
}

/** `viewer`: the account whose act it is. Default: the system's. */
export async function write<T>(
  store: VerbStore,
  work: (session: Session) => T | Refusal,
  viewer: Viewer | null = null,
): Promise<T | Refusal> {
  const correlationId = randomUUID();
  const { value, position } = await store.submit({ viewer, correlationId }, (session) =>
    session.attempt(() => work(session)),
  );
  noteCommand({ position, correlationId });
  return value;
}

function checked<S extends z.ZodObject>(schema: S, given: unknown): z.infer<S> {
  const args = schema.strict().safeParse(given);
  if (!args.success) throw new UsageError(args.error.issues.map(complaint).join('\n'));
  return args.data as z.infer<S>;
}

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.path.length === 0) return issue.message;
  const name = issue.path.filter((part) => typeof part === 'string').join('.');
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${name}: is missing`;
  return `${name}: ${issue.code === 'invalid_value' ? `has to be one of ${issue.values.join(', ')}` : issue.message}`;
}
