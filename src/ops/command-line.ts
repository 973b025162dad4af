import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { settings } from '#config.ts';
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
  if (lacks.length > 0) throw new UsageError(`--${lacks.join(', --')} is missing\nusage: ${usageOf(verb)}`);
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
  const hint = ofGroup.length === 0 ? 'try --help' : `there are ${ofGroup.join(', ')}`;
  return `there is no command "${typed}"; ${hint}`;
}

function shellIn(rest: readonly string[]): Shell {
  const [name = 'bash'] = rest;
  const shell = shells.find((one) => one === name);
  if (shell === undefined || rest.length > 1) throw new UsageError(`usage: completion [${shells.join('|')}]`);
  return shell;
}

/** Usage of a verb: `user role <login> <role>`. */
export function usageOf(verb: Verb): string {
  const options = Object.entries(verb.args.shape)
    .filter(([name]) => !verb.positionals.includes(name))
    .map(([name, schema]) => {
      const option = isFlag(schema) ? `--${name}` : `--${name} <${name}>`;
      return schema.safeParse(undefined).success ? `[${option}]` : option;
    });
  const places = verb.positionals.map((name) => {
    if (isList(verb.args.shape[name])) return `[<${name}>…]`;
    return mayBeLeftOut(verb.args.shape[name]) ? `[<${name}>]` : `<${name}>`;
  });
  return [verb.name, ...places, ...options].join(' ');
}

function required(verb: Verb): readonly string[] {
  return Object.entries(verb.args.shape).flatMap(([name, schema]) => {
    return verb.positionals.includes(name) || schema.safeParse(undefined).success ? [] : [name];
  });
}

function parse(args: readonly string[], verb: Verb) {
  const options = Object.entries(verb.args.shape).filter(([name]) => !verb.positionals.includes(name));
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        reason: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(options.map(([name, schema]) => [name, { type: isFlag(schema) ? 'boolean' : 'string' }])),
      },
    });
  } catch (error) {
    // The rest of the message is about arguments that begin with a hyphen.
    const [reason = ''] = (error as Error).message.split('. To specify');
    throw new UsageError(`${reason}\nusage: ${usageOf(verb)}`, { cause: error });
  }
}

/** Numbers are converted from text, so that they take `true`, too. */
function isFlag(schema: z.ZodType): boolean {
  return schema.safeParse(true).success && !schema.safeParse('1').success;
}

function isList(schema: z.ZodType | undefined): boolean {
  return schema?.safeParse([]).success === true;
}

function mayBeLeftOut(schema: z.ZodType | undefined): boolean {
  return !isList(schema) && schema?.safeParse(undefined).success === true;
}

function byPlace(verb: Verb, given: readonly string[]): Record<string, string | readonly string[]> {
  const list = verb.positionals.findIndex((name) => isList(verb.args.shape[name]));
  const places = list === -1 ? given : [...given.slice(0, list), given.slice(list)];
  const min = verb.positionals.filter((name) => !mayBeLeftOut(verb.args.shape[name])).length;
  if (places.length < min || places.length > verb.positionals.length) throw new UsageError(`usage: ${usageOf(verb)}`);
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

function optionsOf({ args, positionals }: Verb): readonly string[] {
  const own = Object.keys(args.shape).filter((name) => !positionals.includes(name));
  return [...own, 'json', 'reason', 'help'].map((name) => `--${name}`);
}

function choice(typed: string, words: readonly string[]): string {
  const pattern = typed.endsWith('*') ? `"${typed.slice(0, -1)}"*` : `"${typed}"`;
  return `    ${pattern}) words="${words.join(' ')}" ;;`;
}
