import { ConfigError } from '#config.ts';
import { completionFor, readCommandLine, type Typed } from './command-line.ts';

import { explain } from './explain.ts';
import { helpOn } from './help.ts';
import { actingWith, thisOperator } from './operator.ts';
import type { Outcome } from './outcome.ts';
import { renderTable } from './output.ts';
import { misused } from './usage.ts';
import { UsageError, type Verb } from './verb.ts';
import { version } from './version.ts';

export interface CommandLine {
  readonly verbs: readonly Verb[];
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Performs a verb in the server or directly on the store. Throws `UsageError` for invalid settings. */
  readonly reach: (verb: string, args: unknown, json: boolean) => Promise<Outcome>;
}

/** As docs/operations/README.md promises. */
const exits = { done: 0, wrong: 1, refused: 1, usage: 2, unavailable: 3, stopped: 130 } as const;

/** Runs a command line. Returns the exit status. */
export async function run(argv: readonly string[], world: CommandLine): Promise<number> {
  try {
    const typed = readCommandLine(argv, world.verbs);
    if (typed.kind !== 'verb') {
      world.out(textOf(typed, world.verbs));
      return 0;
    }
    const { verb, args, json, reason } = typed;
    const operator = thisOperator(verb.name, reason);
    const outcome = await actingWith({ operator }, () => reached(verb, () => world.reach(verb.name, args, json)));
    if ('value' in outcome) {
      const text = printed(outcome, typed.json);
      if (text !== '') world.out(text);
    } else world.err(outcome.kind === 'refused' ? refusalInWords(outcome) : outcome.message);
    return exits[outcome.kind];
  } catch (error) {
    world.err(explain(error));
    return error instanceof UsageError ? exits.usage : exits.unavailable;
  }
}

/** The outcome of a verb; wrong arguments get its usage, wrong settings do not. */
async function reached(verb: Verb, reach: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await reach().catch((error: unknown) => {
    if (!(error instanceof UsageError) || error.cause instanceof ConfigError) throw error;
    throw misused(verb, error.message, { cause: error });
  });
  if (outcome.kind === 'usage') throw misused(verb, outcome.message);
  return outcome;
}

/** The sentence first. A code of the interface says nothing here. */
function refusalInWords({ code, message }: Extract<Outcome, { kind: 'refused' }>): string {
  return code.startsWith('rest_') ? message : `${message} (${code})`;
}

function textOf(typed: Exclude<Typed, { kind: 'verb' }>, verbs: readonly Verb[]): string {
  if (typed.kind === 'version') return version;
  if (typed.kind === 'completion') return completionFor(typed.shell, verbs);
  return helpOn(typed.topic, verbs);
}

function printed({ value, text }: Extract<Outcome, { value: unknown }>, json: boolean): string {
  return text === undefined || (json && text !== '') ? renderTable(value, json) : text;
}
