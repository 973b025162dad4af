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
import type { Uploads } from '#media/uploads.ts';
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
  readonly uploads: Uploads;
  readonly rebuilding: Rebuilding;
  readonly erasing: Pick<Erasing, 'reach' | 'finish' | 'task'>;
  readonly hooks: HookService;
  readonly transparency: Transparency;
  readonly plugins: Pick<PluginSettings, 'wwwRedirect' | 'themes'>;
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
  /** Changes nothing, so there is no reason to note. */
  readonly isRead?: true;
  /** A verb that runs here and has a server write. */
  readonly writes?: true;
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
  isRead?: true;
  writes?: true;
}

export function defineVerb<S extends z.ZodObject>(
  verb: Description<S> & { run: (store: VerbStore, args: z.infer<S>) => Promise<unknown> },
): StoreVerb {
  return { positionals: [], ...verb, run: async (store, given) => verb.run(store, checked(verb, given)) };
}

export function defineLocalVerb<S extends z.ZodObject>(
  verb: Description<S> & { here: (place: VerbPlace, args: z.infer<S>) => Promise<Outcome> },
): LocalVerb {
  return { positionals: [], ...verb, here: async (place, given) => verb.here(place, checked(verb, given)) };
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

function checked<S extends z.ZodObject>(
  { args: schema, positionals = [] }: Description<S>,
  given: unknown,
): z.infer<S> {
  const args = schema.strict().safeParse(given, { error: fault });
  if (args.success) return args.data as z.infer<S>;
  const complaints = args.error.issues.map(({ path, message }) => {
    const name = path.filter((part) => typeof part === 'string').join('.');
    const typed = positionals.some((one) => one === name) ? `<${name}>` : `--${name}`;
    return name === '' ? message : `${typed} ${message}`;
  });
  throw new UsageError(complaints.join('; '));
}

/** What is wrong with an argument whose schema has no words of its own: the end of a sentence. */
function fault(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_value') return `has to be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected)) return 'is not a number';
  if (issue.code === 'too_small') return issue.origin === 'string' ? 'is empty' : `has to be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `has to be at most ${issue.maximum}`;
  if (issue.code === 'unrecognized_keys') return `--${issue.keys.join(', --')} is not known`;
  return 'does not have the right form';
}
