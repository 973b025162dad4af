import { z } from 'zod';
import { asciiJson, type JsonText } from '#text/json.ts';
import { type Descriptor, descriptorOf } from '../../engine/descriptors.ts';
import type { Arg, Args, Call, Context, Rec } from '../../engine/types.ts';
import { described, type Shown } from './property.ts';

export interface FieldTypes {
  readonly kind: unknown;
  readonly row: unknown;
  readonly showing: unknown;
  readonly model: unknown;
  readonly input: unknown;
}

type Contexts = readonly Context[];

/** One field of a resource. Determines its schema, the arguments of writes and the records of every context. */
export interface Field<T extends FieldTypes> extends Omit<Shown, 'context'> {
  readonly name: string;
  /** Contexts that show it; a function if they depend on the kind. */
  readonly context: Contexts | ((kind: T['kind']) => Contexts);
  /** Absent: the field is in records, but not in the schema (`_links`). */
  readonly schema?: (kind: T['kind']) => z.ZodType;
  readonly description?: string;
  /** Only marks the schema; which writes require the field is up to their arguments. */
  readonly required?: true;
  /** Kinds that have the field; absent: all of them. */
  readonly when?: (kind: T['kind']) => boolean;
  readonly json: (row: T['row'], showing: T['showing']) => JsonText;
  readonly arg?: (kind: T['kind']) => Partial<Arg<T['model']>>;
  /** Lets collections be filtered by an argument of the field's name, one value or a list. `by` names what the values are compared with. */
  readonly filter?: { readonly by: string; readonly schema: z.ZodType };
  readonly write?: (call: Call<T['model']>, name: string, kind: T['kind']) => Partial<T['input']>;
}

/** Of a resource that is only read, and shown from the model alone. */
export interface ReadFieldTypes<Row, M> extends FieldTypes {
  readonly kind: null;
  readonly row: Row;
  readonly showing: M;
  readonly model: M;
}

type More<T extends FieldTypes> = Partial<
  Pick<Field<T>, 'readonly' | 'required' | 'format' | 'when' | 'arg' | 'filter' | 'write'>
>;

interface Shows<T extends FieldTypes, V> extends More<T> {
  readonly default?: V;
  /** Default: that of the constructor. */
  readonly schema?: () => z.ZodType;
  /** Default: the member of the row that has the field's name. */
  readonly read?: (row: T['row'], showing: T['showing']) => V;
  readonly json?: Field<T>['json'];
}

/** `read` or `json` may only be left out where the row has a member of the field's name. */
type Needed<T extends FieldTypes, Name extends string, V> =
  T['row'] extends Readonly<Record<Name, V>>
    ? [options?: Shows<T, V>]
    : [options: Shows<T, V> & (Required<Pick<Shows<T, V>, 'read'>> | Required<Pick<Shows<T, V>, 'json'>>)];

/** A field that only appears in a schema, never in records. */
type Outlined = readonly [schema: z.ZodType, description: string, context?: readonly Context[]];

const everywhere: readonly Context[] = ['view', 'edit', 'embed'];

/**
 * Constructors of the fields of a resource: `text`, `int` and `bool` show a member of the row, `field` whatever its schema and `json`
 * say. `shared`: what all fields have, such as `readonly`.
 */
export function fieldConstructors<T extends FieldTypes>(shared: Pick<More<T>, 'readonly'> = {}) {
  type Named = Pick<Field<T>, 'name' | 'context' | 'description'>;
  const shows = <V>(named: Named, kind: () => z.ZodType, written: (value: V) => JsonText, options: Shows<T, V>) => {
    const { default: initial, schema = kind, json, read = memberOf(named.name), ...more } = options;
    return {
      ...named,
      ...shared,
      ...more,
      schema: () => (initial === undefined ? schema() : schema().default(initial)),
      json: json ?? ((row: T['row'], showing: T['showing']) => written(read(row, showing))),
    };
  };
  const kindOf =
    <V>(kind: () => z.ZodType, written: (value: V) => JsonText) =>
    <Name extends string>(
      name: Name,
      context: Field<T>['context'],
      description: string,
      ...[options = {}]: Needed<T, Name, V>
    ): Field<T> =>
      shows({ name, context, description }, kind, written, options);
  return {
    field: (
      name: string,
      context: Field<T>['context'],
      description: string,
      options: More<T> & Required<Pick<Field<T>, 'schema' | 'json'>>,
    ): Field<T> => ({ name, context, description, ...shared, ...options }),
    text: kindOf<string | null>(() => z.string(), asciiJson),
    int: kindOf<number>(() => z.int(), String),
    bool: kindOf<boolean>(() => z.boolean(), String),
  };
}

function memberOf<V>(name: string): (row: unknown) => V {
  return (row) => (row as Readonly<Record<string, V>>)[name] as V;
}

export interface FieldRecord extends Rec {
  text(): JsonText;
}

export interface FieldSet<T extends FieldTypes> {
  /** `asked`: the fields on request that it has. */
  record(context: Context, row: T['row'], showing: T['showing'], asked?: readonly string[]): FieldRecord;
  properties(): Readonly<Record<string, Descriptor>>;
  /** Arguments of create and update: the writable fields. */
  args(): Args<T['model']>;
  filters(): Args<T['model']>;
  /** The filters in a request: their values under the `by` of each. */
  filtered(call: Call<T['model']>): Readonly<Record<string, readonly unknown[]>>;
  input(call: Call<T['model']>): Partial<T['input']>;
}

/**
 * Compiles fields, given in the order of records. The schema lists those named in `listing`, separated by spaces, first. Returns
 * the fields of a kind, which must be a constant: the results are cached by its identity.
 */
export function defineFields<T extends FieldTypes>(
  fields: readonly Field<T>[],
  listing = '',
): (kind: T['kind']) => FieldSet<T> {
  const sets = new Map<T['kind'], FieldSet<T>>();
  return (kind) => {
    let set = sets.get(kind);
    if (set === undefined) {
      set = compile(
        fields.filter(({ when }) => when?.(kind) ?? true),
        listing.split(' '),
        kind,
      );
      sets.set(kind, set);
    }
    return set;
  };
}

export function contextsOf<K>(
  { context }: { readonly context: Contexts | ((kind: K) => Contexts) },
  kind: K,
): Contexts {
  return typeof context === 'function' ? context(kind) : context;
}

/** The answer to a deletion: the item before it, without `_links`. Call it before the item is deleted. */
export function deletedRecord(record: Rec, wants: (name: string) => boolean = () => true): Rec {
  const names = record.names.filter((name) => name !== '_links' && (name === 'id' || wants(name)));
  const previous = `{${names.map((name) => `${asciiJson(name)}:${record.json(name)}`).join()}}`;
  return { names: ['deleted', 'previous'], json: (name) => (name === 'previous' ? previous : 'true') };
}

/** The schema that OPTIONS returns for a resource (interface behaviour, section 24). */
export function recordSchema(title: string, properties: Readonly<Record<string, Descriptor>>, more: object = {}) {
  return { $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties, ...more };
}

type Json<T extends FieldTypes> = Field<T>['json'];

function compile<T extends FieldTypes>(
  fields: readonly Field<T>[],
  listing: readonly string[],
  kind: T['kind'],
): FieldSet<T> {
  const rank = ({ name }: Field<T>) => (listing.includes(name) ? listing.indexOf(name) : listing.length);
  const listed = fields.filter(({ schema }) => schema !== undefined).sort((a, b) => rank(a) - rank(b));
  const writers = listed.flatMap(({ name, write }) => (write === undefined ? [] : [{ name, write }]));
  const filters = fields.flatMap(({ name, filter }) => (filter === undefined ? [] : [{ name, filter }]));
  const byName = new Map(fields.map(({ name, json }) => [name, json]));
  const usual = fields.filter(({ onRequest }) => onRequest === undefined);
  const shownIn = (context: Context) => usual.filter((field) => contextsOf(field, kind).includes(context));
  const columns: Readonly<Record<Context, Columns<T>>> = {
    view: columnsOf(shownIn('view'), byName),
    embed: columnsOf(shownIn('embed'), byName),
    edit: columnsOf(shownIn('edit'), byName),
  };
  let properties: Readonly<Record<string, Descriptor>> | undefined;
  return {
    record: (context, row, showing, asked) => {
      const record = new CompiledRecord(columns[context], row, showing);
      return asked === undefined
        ? record
        : {
            names: [...record.names, ...asked.filter((name) => byName.has(name))],
            json: (name) => record.json(name),
            text: () => record.text(),
          };
    },
    properties: () => {
      properties ??= Object.fromEntries(listed.map((field) => [field.name, propertyOf(field, kind)]));
      return properties;
    },
    args: () => {
      const writable = listed.filter((field) => field.readonly === undefined);
      return Object.fromEntries(
        writable.map((field) => [field.name, { schema: schemaOf(field, kind), ...field.arg?.(kind) }]),
      );
    },
    filters: () => Object.fromEntries(filters.map(({ name, filter }) => [name, { schema: filter.schema, pass: 2 }])),
    filtered: ({ params, sent }) =>
      Object.fromEntries(
        filters
          .filter(({ name }) => sent(name) !== undefined)
          .map(({ name, filter }) => [filter.by, [params[name]].flat()]),
      ),
    input: (call) => {
      const input = {};
      for (const { name, write } of writers) Object.assign(input, write(call, name, kind));
      return input;
    },
  };
}

function propertyOf<T extends FieldTypes>(field: Field<T>, kind: T['kind']): Descriptor {
  const descriptor = descriptorOf(schemaOf(field, kind));
  return field.required === undefined ? descriptor : { ...descriptor, required: true };
}

function schemaOf<T extends FieldTypes>(field: Field<T>, kind: T['kind']): z.ZodType {
  const { name, schema, description = '', format, readonly, onRequest } = field;
  if (schema === undefined) throw new Error(`${name} has no schema`);
  return described(schema(kind), description, {
    context: contextsOf(field, kind),
    ...(format === undefined ? {} : { format }),
    ...(readonly === undefined ? {} : { readonly }),
    ...(onRequest === undefined ? {} : { onRequest }),
  });
}

interface Columns<T extends FieldTypes> {
  readonly names: readonly string[];
  readonly json: readonly Json<T>[];
  readonly keys: readonly string[];
  readonly byName: ReadonlyMap<string, Json<T>>;
}

function columnsOf<T extends FieldTypes>(shown: readonly Field<T>[], byName: Columns<T>['byName']): Columns<T> {
  return {
    names: shown.map(({ name }) => name),
    json: shown.map(({ json }) => json),
    keys: shown.map(({ name }, index) => `${index === 0 ? '{' : ','}${asciiJson(name)}:`),
    byName,
  };
}

class CompiledRecord<T extends FieldTypes> implements FieldRecord {
  readonly names: readonly string[];
  readonly #columns: Columns<T>;
  readonly #row: T['row'];
  readonly #showing: T['showing'];

  constructor(columns: Columns<T>, row: T['row'], showing: T['showing']) {
    this.names = columns.names;
    this.#columns = columns;
    this.#row = row;
    this.#showing = showing;
  }

  json(name: string): JsonText {
    const make = this.#columns.byName.get(name);
    return make === undefined ? 'null' : make(this.#row, this.#showing);
  }

  text(): JsonText {
    const { json, keys } = this.#columns;
    let text = '';
    for (let index = 0; index < json.length; index += 1) {
      text += keys[index]! + json[index]!(this.#row, this.#showing);
    }
    return `${text}}`;
  }
}

export function outlineSchema(title: string, fields: Readonly<Record<string, Outlined>>): () => unknown {
  return () =>
    recordSchema(
      title,
      Object.fromEntries(
        Object.entries(fields).map(([name, [schema, description, context = everywhere]]) => [
          name,
          descriptorOf(described(schema, description, { context })),
        ]),
      ),
    );
}
