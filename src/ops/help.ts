import { usageOf } from './command-line.ts';
import { columns } from './output.ts';
import type { Verb } from './verb.ts';

const start = 'npm run cli --';

const common = [
  ['--json', 'one line of JSON instead of a table'],
  ['--help', 'this text; after a verb: about the verb'],
];

const exits = `Exit status: 0 done, 1 refused (its code is printed) or something found wrong, 2 wrong usage,
3 unavailable, 130 stopped by Ctrl-C.
Settings are those of the server (DATA_DIR …). A server that holds the data directory carries out verbs that write.`;

/** Help on all verbs. */
export function helpOnAll(verbs: readonly Verb[]): string {
  const rows = verbs.map((verb) => [verb.name, verb.summary]);
  return [
    `usage: ${start} <verb> [options]`,
    '',
    ...columns(rows),
    '',
    `What a verb takes, with an example: ${start} <verb> --help`,
    '',
    ...columns(common),
    '',
    exits,
  ].join('\n');
}

/** Help on one verb, with an example. */
export function helpOn(verb: Verb): string {
  const args = Object.entries(verb.args.shape).map(([name, schema]) => [
    verb.positionals.includes(name) ? `<${name}>` : `--${name}`,
    schema.description ?? '',
  ]);
  return [
    `${verb.name}: ${verb.summary}`,
    '',
    `usage: ${start} ${usageOf(verb)}`,
    '',
    ...columns([...args, ...common]),
    '',
    `example: ${start} ${verb.example}`,
  ].join('\n');
}
