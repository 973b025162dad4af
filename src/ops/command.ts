import { type Config, ConfigError, readConfig } from '#config.ts';
import { LogDamaged, LogInUse, LogUnavailable } from '#eventstore/port.ts';
import { ObjectsUnavailable } from '#objects/port.ts';
import { callControl, controlPath } from '#ops/control.ts';
import { openHere } from '#ops/open-here.ts';
import { reach, requireLog } from '#ops/reach.ts';
import { type LocalVerb, UsageError, type Verb } from '#ops/verb.ts';
import { loadFor } from '#ops/verb-files.ts';
import { completionFor, readCommandLine, type Typed } from './command-line.ts';
import { explain } from './explain.ts';
import { helpOn, helpOnAll } from './help.ts';
import type { Outcome } from './outcome.ts';
import { renderTable } from './output.ts';
import { progressOn, Stopped } from './progress.ts';
import { version } from './version.ts';

export interface CommandLine {
  readonly verbs: readonly Verb[];
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Performs a verb in the server or directly on the store. Throws `UsageError` for invalid settings. */
  readonly reach: (verb: string, args: unknown, json: boolean) => Promise<Outcome>;
}

// Files that verbs create in the data directory are private to the user.
process.umask(0o077);

/** Verbs that may create a site in an empty data directory. */
const beginning = ['user add', 'tools set'];

const argv = process.argv.slice(2);
const verbs = await loadFor(argv);
const exits = { done: 0, wrong: 1, refused: 1, usage: 2, unavailable: 3, stopped: 130 } as const;

process.exitCode = await run(argv, {
  verbs,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  reach: (name, args, json) => {
    const verb = verbs.find((candidate) => candidate.name === name);
    return verb !== undefined && 'here' in verb
      ? performHere(verb, args, { config: config(), json })
      : reach(waysTo(config(), name), name, args);
  },
});

function waysTo(config: Config, name: string) {
  return {
    call: (verb: string, args: unknown) => callControl(controlPath(config.dataDir), verb, args),
    open: async () => {
      if (!beginning.includes(name)) requireLog(config);
      return openHere(config, verbs);
    },
  };
}

function config(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Runs a command line. Returns the exit status. */
export async function run(argv: readonly string[], world: CommandLine): Promise<number> {
  try {
    const typed = readCommandLine(argv, world.verbs);
    if (typed.kind !== 'verb') {
      world.out(told(typed, world.verbs));
      return 0;
    }
    const outcome = await world.reach(typed.verb.name, typed.args, typed.json);
    if ('value' in outcome) {
      const text = printed(outcome, typed.json);
      if (text !== '') world.out(text);
    } else world.err(outcome.kind === 'refused' ? `${outcome.code}: ${outcome.message}` : outcome.message);
    return exits[outcome.kind];
  } catch (error) {
    world.err(explain(error));
    return error instanceof UsageError ? exits.usage : exits.unavailable;
  }
}

function told(typed: Exclude<Typed, { kind: 'verb' }>, verbs: readonly Verb[]): string {
  if (typed.kind === 'version') return version;
  if (typed.kind === 'completion') return completionFor(typed.shell, verbs);
  return typed.verb === null ? helpOnAll(verbs) : helpOn(typed.verb);
}

function printed({ value, text }: Extract<Outcome, { value: unknown }>, json: boolean): string {
  return text === undefined || (json && text !== '') ? renderTable(value, json) : text;
}

/** Performs a verb in this process. Ctrl-C stops it at the next consistent point; a second Ctrl-C stops it at once. */
export async function performHere(
  verb: LocalVerb,
  args: unknown,
  { config, json }: { readonly config: Config; readonly json: boolean },
): Promise<Outcome> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of signals) process.once(name, onSignal);
  const { signal } = stop;
  const progress = progressOn({ stream: process.stderr, signal });
  try {
    return await verb.here({ config, json, progress, signal, input: process.stdin, output: process.stdout }, args);
  } catch (error) {
    return ofError(error);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;

function ofError(error: unknown): Outcome {
  if (error instanceof Stopped) return { kind: 'stopped', message: error.message };
  if (error instanceof LogDamaged) return { kind: 'refused', code: 'log_damaged', message: error.message };
  if (error instanceof LogInUse || error instanceof LogUnavailable || error instanceof ObjectsUnavailable) {
    return { kind: 'unavailable', message: error.message };
  }
  throw error;
}
