import { usageOf } from './command-line.ts';
import { tableColumns } from './output.ts';
import type { Verb } from './verb.ts';

const common = [
  ['--json', 'print one line of JSON instead of a table'],
  ['--reason', 'why it is done; noted with your name beside the log, for ORIGIN_DAYS'],
  ['--help', 'this text; after a command: help on that command'],
];

/** Commands that need no data directory. */
const ofProgram = [
  ['start', 'Starts the server.'],
  ['help', 'Explains a command: help user add'],
  ['completion', 'Prints a script for bash or zsh that completes commands: source <(palimpsest completion bash)'],
  ['--version', 'Prints the version.'],
];

const exits = `Exit status: 0 done, 1 refused (its code is printed) or a problem found, 2 wrong usage,
3 unavailable, 130 stopped by Ctrl-C.
Commands read the same settings as the server (DATA_DIR …). If a server has the data directory open, it carries out the commands that
write.`;

/** How to call the program: as a package, or in a checkout, which runs the sources. */
const program = import.meta.filename.endsWith('.ts') ? 'npm run cli --' : 'palimpsest';

export function helpOnAll(verbs: readonly Verb[]): string {
  const rows = verbs.map((verb) => [verb.name, verb.summary]);
  return [
    `usage: ${program} <command> [options]`,
    '',
    ...tableColumns([...rows, ...ofProgram]),
    '',
    `Arguments of a command, with an example: ${program} <command> --help`,
    '',
    ...tableColumns(common),
    '',
    exits,
  ].join('\n');
}

export function helpOn(verb: Verb): string {
  const args = Object.entries(verb.args.shape).map(([name, schema]) => [
    verb.positionals.includes(name) ? `<${name}>` : `--${name}`,
    schema.description ?? '',
  ]);
  return [
    `${verb.name}: ${verb.summary}`,
    '',
    `usage: ${program} ${usageOf(verb)}`,
    '',
    ...tableColumns([...args, ...common]),
    '',
    `example: ${program} ${verb.example}`,
  ].join('\n');
}
