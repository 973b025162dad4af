import { z } from 'zod';
import { UsageError, type Verb } from './verb.ts';

/** The form of values, by option; of a single command with its name before it. */
const forms: Readonly<Record<string, string>> = {
  address: 'https://…',
  as: 'login',
  at: 'position|time',
  authority: 'file.pem',
  authors: 'file.csv',
  before: 'position',
  checkpoints: 'file|folder',
  correlation: 'id',
  directory: 'folder',
  email: 'address',
  entry: 'number|title|address',
  every: 'seconds',
  field: 'name',
  folder: 'folder',
  from: 'day|time',
  get: '/path',
  head: 'position:hash',
  host: 'host:port',
  html: 'file',
  limit: 'number',
  mapping: 'file',
  media: 'folder',
  name: 'text',
  origin: 'address',
  out: 'file',
  pages: 'folder',
  part: 'MB',
  pause: 'ms',
  policy: 'file',
  posts: 'number',
  quorum: 'number|all|none',
  reason: '"why"',
  requests: 'number',
  run: 'number',
  salvage: 'file',
  serve: 'port',
  stream: 'term-3',
  text: '"words"',
  to: 'day|time',
  type: 'types',
  until: 'day',
  user: 'login|number',
  version: 'number',
  wxr: 'file',
  'backup drill from': 'folder|s3://…',
  'backup list from': 'folder|s3://…',
  'backup to': 'folder|s3://…',
  'follow user': 'login',
  'hooks replay from': 'position',
  'media move from': 'folder|s3://…',
  'media move to': 'folder|s3://…',
  'migrate plan user': 'login',
  'migrate run user': 'login',
  'migrate verify user': 'login',
  'restore at': 'time',
  'restore backup': 'name',
  'restore from': 'folder|s3://…',
};

/** Usage of a verb: `user role <login> <role>`. */
export function usageOf(verb: Verb): string {
  const options = optionsIn(verb).map(([name, schema]) => {
    const option = isFlag(schema) ? `--${name}` : `--${name} <${formOf(verb, name)}>`;
    return mayBeLeftOut(schema) ? `[${option}]` : option;
  });
  const reason = takesReason(verb) && !('reason' in verb.args.shape) ? [`[--reason <${forms['reason']}>]`] : [];
  const places = verb.positionals.map((name) => {
    const place = `<${choicesOf(verb.args.shape[name]) ?? name}>`;
    if (isList(verb.args.shape[name])) return `[${place}…]`;
    return mayBeLeftOut(verb.args.shape[name]) ? `[${place}]` : place;
  });
  return [verb.name, ...places, ...options, ...reason].join(' ');
}

/** What is wrong with the call of a verb, and how it is called. */
export function misused(verb: Verb, message: string, options: ErrorOptions = {}): UsageError {
  return new UsageError(`${verb.name}: ${message}\nusage: ${usageOf(verb)}`, options);
}

/** Whether a reason is noted with what it writes. */
export function takesReason(verb: Verb): boolean {
  return 'reason' in verb.args.shape || ('run' in verb ? verb.isRead !== true : verb.writes === true);
}

export function optionsIn({ args, positionals }: Verb): readonly (readonly [string, z.ZodType])[] {
  return (Object.entries(args.shape) as [string, z.ZodType][]).filter(([name]) => !positionals.includes(name));
}

/** Numbers are converted from text, so that they take `true`, too. */
export function isFlag(schema: z.ZodType): boolean {
  return schema.safeParse(true).success && !schema.safeParse('1').success;
}

export function isList(schema: z.ZodType | undefined): boolean {
  return schema?.safeParse([]).success === true;
}

export function mayBeLeftOut(schema: z.ZodType | undefined): boolean {
  return schema?.safeParse(undefined).success === true;
}

function formOf(verb: Verb, name: string): string {
  return forms[`${verb.name} ${name}`] ?? choicesOf(verb.args.shape[name]) ?? forms[name] ?? name;
}

/** `loud|soft` */
function choicesOf(schema: unknown): string | undefined {
  if (schema instanceof z.ZodOptional) return choicesOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return choicesOf(schema.element);
  return schema instanceof z.ZodEnum ? schema.options.join('|') : undefined;
}
