import { z } from 'zod';
import type { DomainEvent, EventDefinition } from './event.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Maximum length of a text that an event contains, in UTF-16 code units, by what the text is. */
const lengths = {
  /** A slug, digest, date, key or other word that a program chose. */
  word: 1024,
  name: 200,
  title: 16_384,
  /** A web address, or one of a file. */
  address: 8192,
  /** A few sentences, or some settings as JSON. */
  paragraph: 65_535,
  /** A text of its own. The limit of a request's body is lower. */
  document: 2 ** 28,
};

/** Maximum number of items of a list or map. */
const MOST = 25_000;

/** Texts and lists of events. Each has a limit, which is checked when the event is staged. */
export const limited = {
  word: z.string().max(lengths.word),
  name: z.string().max(lengths.name),
  title: z.string().max(lengths.title),
  address: z.string().max(lengths.address),
  paragraph: z.string().max(lengths.paragraph),
  document: z.string().max(lengths.document),
  list: <S extends z.ZodType>(items: S) => z.array(items).max(MOST),
  /** A value of any shape that is, as JSON, at most as long as a document. */
  sized: <S extends z.ZodType>(schema: S) =>
    schema
      .refine((value) => JSON.stringify(value).length <= lengths.document, 'it is too long')
      .meta({ maxLength: lengths.document }),
};

/** Why an event does not fit the schema of its type, so that it cannot be staged; null if it does. */
export function misfit({ schema }: EventDefinition, { type, data }: DomainEvent): Refusal | null {
  const { error } = schema.safeParse(data);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return null;
  const name = issue.path.map((part) => String(part).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  const what = name.join(' ') || type;
  if (issue.code !== 'too_big') return refuse('rest_invalid_field', `The ${what} is not valid: ${issue.message}.`);
  const unit = issue.origin === 'string' ? 'characters' : 'items';
  return refuse('db_insert_error', `The ${what} has more than ${issue.maximum} ${unit}.`);
}

/** The same members, each of which may be absent. */
export function optional<D extends Readonly<Record<string, z.ZodType>>>(
  schemas: D,
): { [N in keyof D]: z.ZodExactOptional<D[N]> } {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema.exactOptional()])) as {
    [N in keyof D]: z.ZodExactOptional<D[N]>;
  };
}
