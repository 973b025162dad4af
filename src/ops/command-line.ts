import { parseArgs } from 'node:util';
import { isOneAway } from '#config/likely-typos.ts';
import { settings } from '#config.ts';
import { isFlag, isList, mayBeLeftOut, misused, optionsIn, takesReason } from './usage.ts';
import { UsageError, type Verb } from './verb.ts';
import { isTyped } from './verb-files.ts';

/** A parsed command line: a verb with its arguments, or a request for help. */
export type Typed =
  /** `topic`: a command or a group of them; empty: all. */
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'completion'; readonly shell: Shell }
  | {
      readonly kind: 'verb';
      readonly verb: Verb;
      readonly args: Readonly<Record<string, string | boolean | readonly string[]>>;
      readonly json: boolean;
      readonly reason?: string | undefined;
    };

type Shell = (typeof shells)[number];

const shells = ['bash', 'zsh'] as const;

/** Parses a command line without the program's own name. Throws `UsageError`. */
export function readCommandLine(argv: readonly string[], verbs: readonly Verb[]): Typed {
  const [first, ...rest] = argv;
  if (first === undefined) return { kind: 'help', topic: '' };
  if (first === 'help') {
    const isOnItself = rest.length > 0 && rest.every(isHelp);
    return { kind: 'help', topic: isOnItself ? first : topicOf(rest, verbs) };
  }
  const verb = verbs.find(({ name }) => isTyped(name, argv));
  if (verb === undefined && argv.some(isHelp)) return { kind: 'help', topic: topicOf(argv, verbs) };
  if (first === '--version') return alone(first, rest, { kind: 'version' });
  if (first === 'start') throw new UsageError(notForStart(rest));
  if (first === 'completion') return { kind: 'completion', shell: shellIn(rest) };
  if (verb === undefined) throw new UsageError(missing(argv.filter((word) => !word.startsWith('-')).join(' '), verbs));
  const { values, positionals } = parse(argv.slice(verb.name.split(' ').length), verb);
  if (values['help'] === true) return { kind: 'help', topic: verb.name };
  const { json = false, help: _, ...given } = values;
  const { reason, ...others } = given as Readonly<Record<string, string | boolean>>;
  const options = 'reason' in verb.args.shape ? given : others;
  const args = { ...(options as Record<string, string | boolean>), ...byPlace(verb, positionals) };
  const lacks = required(verb).filter((name) => !(name in args));
  if (lacks.length > 0) {
    throw misused(verb, `${lacks.map((name) => `--${name}`).join(', ')} ${lacks.length === 1 ? 'is' : 'are'} missing`);
  }
  return { kind: 'verb', verb, args, json: json === true, reason: reason === undefined ? undefined : String(reason) };
}

const isHelp = (word: string) => word === '--help' || word === '-h';

/** Commands that are no verbs. */
const ofProgram = ['start', 'help', 'completion', '--version'];

/** What help is asked for: a verb, a command that is none, or a group. */
function topicOf(words: readonly string[], verbs: readonly Verb[]): string {
  const typed = words.filter((word) => !isHelp(word));
  const [first] = typed;
  if (first === undefined) return '';
  const option = typed.find((word) => word.startsWith('-') && word !== '--version');
  if (option !== undefined) throw new UsageError(`Unknown option '${option}'; try --help`);
  const verb = verbs.find(({ name }) => isTyped(name, typed));
  if (verb !== undefined) return verb.name;
  if (ofProgram.includes(first)) return first;
  if (typed.length === 1 && verbs.some(({ name }) => name.startsWith(`${first} `))) return first;
  throw new UsageError(missing(typed.join(' '), verbs));
}

function alone<T>(command: string, [unknown]: readonly string[], typed: T): T {
  if (unknown !== undefined) throw new UsageError(`Unknown argument '${unknown}'\nusage: ${command}`);
  return typed;
}

function notForStart([unknown = '']: readonly string[]): string {
  const name = unknown
    .replace(/^-+|=.*/g, '')
    .replaceAll('-', '_')
    .toUpperCase();
  const meant = Object.hasOwn(settings.shape, name) ? `; ${name} is a setting, an environment variable` : '';
  return `Unknown argument '${unknown}'${meant}\nusage: start   (settings are environment variables: see help start)`;
}

/** Names the commands of a group: `user` is none itself. */
function missing(typed: string, verbs: readonly Verb[]): string {
  const [group = ''] = typed.split(' ');
  const ofGroup = verbs.flatMap(({ name }) => (name.startsWith(`${group} `) ? name : []));
  if (ofGroup.length > 0) return `there is no command "${typed}"; there are ${ofGroup.join(', ')}`;
  const names = [...ofProgram, ...verbs.map(({ name }) => name)];
  const nearest =
    names.find((name) => isOneAway(typed, name)) ?? names.find((name) => isOneAway(group, name.split(' ')[0] ?? ''));
  const firsts = new Set(names.map((name) => name.split(' ')[0]));
  const hint = nearest === undefined ? `there are ${[...firsts].join(', ')}.` : `is "${nearest}" meant?`;
  return `there is no command "${typed}"; ${hint} "--help" explains all`;
}

function shellIn(rest: readonly string[]): Shell {
  const [name = 'bash'] = rest;
  const shell = shells.find((one) => one === name);
  if (shell === undefined || rest.length > 1)
    throw new UsageError(`completion: ${shells.join(' or ')} alone is known\nusage: completion [${shells.join('|')}]`);
  return shell;
}

function required(verb: Verb): readonly string[] {
  return optionsIn(verb).flatMap(([name, schema]) => (mayBeLeftOut(schema) ? [] : [name]));
}

function parse(args: readonly string[], verb: Verb) {
  const options = optionsIn(verb);
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        ...(takesReason(verb) ? { reason: { type: 'string' } as const } : {}),
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(options.map(([name, schema]) => [name, { type: isFlag(schema) ? 'boolean' : 'string' }])),
      },
    });
  } catch (error) {
    // The rest of the message is about arguments that begin with a hyphen.
    const [reason = ''] = (error as Error).message.split(/\.\s+To specify|\n/);
    throw misused(verb, reason, { cause: error });
  }
}

function byPlace(verb: Verb, given: readonly string[]): Record<string, string | readonly string[]> {
  const list = verb.positionals.findIndex((name) => isList(verb.args.shape[name]));
  const places = list === -1 ? given : [...given.slice(0, list), given.slice(list)];
  const min = verb.positionals.filter(
    (name) => !mayBeLeftOut(verb.args.shape[name]) && !isList(verb.args.shape[name]),
  ).length;
  const [missing = ''] = verb.positionals.slice(places.length);
  if (places.length < min) throw misused(verb, `<${missing}> is missing`);
  const unknown = places[verb.positionals.length];
  if (unknown !== undefined) throw misused(verb, `"${[unknown].flat().join(' ')}" is one argument too many`);
  return Object.fromEntries(
    verb.positionals.flatMap((name, i) => (i < places.length ? [[name, places[i] ?? '']] : [])),
  );
}

export function completionFor(shell: Shell, verbs: readonly Verb[]): string {
  const names = verbs.map(({ name }) => name);
  const firsts = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const seconds = firsts.flatMap((first) => {
    const words = names.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1));
    return words.length === 0 ? [] : [choice(first, words)];
  });
  const options = [...verbs]
    .sort((a, b) => b.name.length - a.name.length)
    .map((verb) => choice(`${verb.name}*`, optionsOf(verb)));
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_palimpsest() {',
    `  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""`,
    '  case "$typed" in',
    choice('', [...ofProgram, ...firsts]),
    ...['start', 'completion'].map((name) => choice(name, ['--help'])),
    ...seconds,
    ...options,
    '  esac',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -o default -F _palimpsest palimpsest',
  ].join('\n');
}

function optionsOf(verb: Verb): readonly string[] {
  const own = new Set(optionsIn(verb).map(([name]) => name));
  const common = ['json', ...(takesReason(verb) ? ['reason'] : []), 'help'];
  return [...own.union(new Set(common))].map((name) => `--${name}`);
}

function choice(typed: string, words: readonly string[]): string {
  const pattern = typed.endsWith('*') ? `"${typed.slice(0, -1)}"*` : `"${typed}"`;
  return `    ${pattern}) words="${words.join(' ')}" ;;`;
}
