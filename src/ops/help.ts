import { settings } from '#config.ts';
import { tableColumns } from './output.ts';
import { takesReason, usageOf } from './usage.ts';
import type { Verb } from './verb.ts';

const common = [
  ['--json', 'print one line of JSON instead of a table'],
  ['--reason', 'for commands that write: why it is done; noted with your name beside the log, for ORIGIN_DAYS'],
  ['--help', 'this text; after a command: help on that command'],
];

/** Commands that are no verbs, with what their help says. */
const ofProgram: Readonly<Record<string, { readonly summary: string; readonly text: () => readonly string[] }>> = {
  start: { summary: 'Starts the server.', text: () => startText() },
  help: {
    summary: 'Explains a command or a group of commands: help user add',
    text: () => [`usage: ${program} help [<command>]`],
  },
  completion: {
    summary: 'Prints a script for bash or zsh that completes commands.',
    text: () => [`usage: ${program} completion [bash|zsh]`, '', 'example: source <(palimpsest completion bash)'],
  },
  '--version': { summary: 'Prints the version.', text: () => [`usage: ${program} --version`] },
};

/** The settings that most operators need, with one line each. */
const mainSettings: Readonly<Partial<Record<keyof typeof settings.shape, string>>> = {
  DATA_DIR: 'folder of the log and of everything derived from it',
  PORT: 'port to listen on; 0 for a free one',
  HOST: 'address to listen on; 0.0.0.0 for all interfaces',
  SITE_URL: 'address of the site, with which all links begin',
  SITE_NAME: 'name of the site',
  SITE_TIMEZONE: 'time zone of the site, such as Europe/Berlin',
  MEDIA_URL: 'where uploaded files are kept: a folder, or s3://bucket/prefix',
  BACKUP_TO: 'where the server keeps its backups: a folder, or s3://bucket/prefix',
  BACKUP_KEY: 'encrypts backups: 32 random bytes in base64',
  TRUSTED_PROXIES: 'proxies in front of the server, such as loopback',
  EVENTSTORE_URL: 'keeps the log in EventStoreDB or KurrentDB, for several nodes: esdb://…',
  METRICS_PORT: 'separate port with metrics for Prometheus',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
};

/** The sections of the list of all commands: first words of their names. */
const sections: Readonly<Record<string, readonly string[]>> = {
  'Run a site': ['start', 'demo', 'status', 'user', 'tools', 'hooks', 'media', 'clock', 'event-store'],
  'Move a site': ['migrate', 'follow'],
  'Keep it safe': ['backup', 'restore', 'verify', 'rebuild', 'prepare', 'export', 'import', 'erase'],
  'Look back and prove': ['audit', 'replay', 'prove', 'verify-proof', 'checkpoint', 'witness'],
  Help: ['help', 'completion', '--version'],
};

const exits = `Exit status: 0 done, 1 refused or a problem found, 2 wrong arguments or settings, 3 something needed is not there or not
in reach, 130 stopped by Ctrl-C.
Commands read the same settings as the server (DATA_DIR …). If a server has the data directory open, it carries out the commands that
write.`;

/** How to call the program: as a package, or in a checkout, which runs the sources. */
const program = import.meta.filename.endsWith('.ts') ? 'npm run cli --' : 'palimpsest';

/** Help on a command or a group of commands; on all if the topic is empty. */
export function helpOn(topic: string, verbs: readonly Verb[]): string {
  if (topic === '') return helpOnAll(verbs);
  const other = ofProgram[topic];
  if (other !== undefined) return [`${topic}: ${other.summary}`, '', ...other.text()].join('\n');
  const group = verbs.filter(({ name }) => name.startsWith(`${topic} `));
  const verb = verbs.find(({ name }) => name === topic);
  return verb === undefined ? helpOnGroup(topic, group) : helpOnVerb(verb, group);
}

function helpOnAll(verbs: readonly Verb[]): string {
  const rows = [
    ...Object.entries(ofProgram).map(([name, { summary }]) => [name, summary] as const),
    ...verbs.map(({ name, summary }) => [name, summary] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const listed = Object.entries(sections).flatMap(([title, firsts]) => {
    const own = firsts.flatMap((first) => rows.filter(([name]) => name.split(' ')[0] === first));
    return own.length === 0 ? [] : ['', title, ...tableColumns(own.map(([name, text]) => [name.padEnd(width), text]))];
  });
  const others = rows.filter(
    ([name]) => !Object.values(sections).some((firsts) => firsts.includes(name.split(' ')[0] ?? '')),
  );
  return [
    `usage: ${program} <command> [options]`,
    ...listed,
    ...(others.length === 0 ? [] : ['', ...tableColumns(others)]),
    '',
    `Arguments of a command, with an example: ${program} <command> --help`,
    '',
    ...tableColumns(common),
    '',
    exits,
  ].join('\n');
}

function helpOnGroup(topic: string, verbs: readonly Verb[]): string {
  return [
    ...tableColumns(verbs.map(({ name, summary }) => [name, summary])),
    '',
    `Arguments of a command, with an example: ${program} ${topic} <command> --help`,
  ].join('\n');
}

function startText(): readonly string[] {
  const rows = Object.entries(mainSettings).map(([name, meaning]) => {
    const { def } = settings.shape[name as keyof typeof settings.shape];
    return [name, meaning, 'defaultValue' in def && def.defaultValue !== '' ? `default: ${def.defaultValue}` : ''];
  });
  return [
    `usage: [<SETTING>=<value> …] ${program} start`,
    '',
    'It takes no arguments. Settings are environment variables, or files in CREDENTIALS_DIRECTORY. These matter most; docs/settings.md has all.',
    '',
    ...tableColumns(rows),
    '',
    `example: DATA_DIR=/srv/site PORT=8080 SITE_URL=https://example.org ${program} start`,
  ];
}

function helpOnVerb(verb: Verb, group: readonly Verb[]): string {
  const args = Object.entries(verb.args.shape).map(([name, schema]) => [
    verb.positionals.includes(name) ? `<${name}>` : `--${name}`,
    schema.description ?? '',
  ]);
  return [
    `${verb.name}: ${verb.summary}`,
    '',
    `usage: ${program} ${usageOf(verb)}`,
    '',
    ...tableColumns([
      ...args,
      ...common.filter(([name = '']) => name !== '--reason' || (takesReason(verb) && !('reason' in verb.args.shape))),
    ]),
    '',
    `example: ${program} ${verb.example}`,
    ...(group.length === 0 ? [] : ['', `See also: ${group.map(({ name }) => name).join(', ')}`]),
  ].join('\n');
}
