import { type PluginArg, type PluginRoute, z } from 'palimpsest/plugin';

/** A parameter of which the index says only whether it is required, or nothing at all. It is checked nonetheless, and typed when read. */
export interface SentParam<T> {
  readonly name: string;
  readonly arg: PluginArg;
  /** The sent value; undefined if absent. */
  of(call: WithParams): T | undefined;
}

export interface WithParams {
  readonly params: Readonly<Record<string, unknown>>;
}

interface Options {
  readonly required?: true;
  readonly hidden?: true;
  /** Returns why a value is wrong, or null. */
  readonly also?: (value: unknown) => string | null;
}

/** Takes what stands for a value of the type as well, such as digits. */
export function lenientParam<S extends z.ZodType>(
  name: string,
  schema: S,
  options: Options = {},
): SentParam<z.output<S>> {
  return {
    name,
    arg: { schema, untyped: true, ...options },
    of: ({ params }) => (params[name] ?? undefined) as z.output<S> | undefined,
  };
}

export function strictParam<S extends z.ZodType>(
  name: string,
  schema: S,
  { also, ...options }: Options = {},
): SentParam<z.output<S>> {
  return {
    name,
    arg: {
      schema: z.unknown(),
      sent: schema,
      ...options,
      check: (value) => {
        const read = schema.safeParse(value);
        const fault = read.success ? also?.(value) : `${name}: ${z.prettifyError(read.error)}`;
        return fault ? { code: 'invalid_param', message: fault } : null;
      },
    },
    of: ({ params }) => {
      const value = params[name] ?? undefined;
      return value === undefined ? undefined : schema.parse(value);
    },
  };
}

/** The beginning of a route that reads, for those who write posts unless it says otherwise. */
export function getRoute(path: string, summary: string, access: PluginRoute['access'] = 'editPosts') {
  return { method: 'GET', path, summary, access } as const;
}

/** The same of a route that takes a body. */
export function postRoute(path: string, summary: string) {
  return { method: 'POST', path, summary, access: 'editPosts' } as const;
}

export function paramsOf(...fields: readonly SentParam<unknown>[]): Readonly<Record<string, PluginArg>> {
  return Object.fromEntries(fields.map(({ name, arg }) => [name, arg]));
}

export function firstWordsOf(text: string, length: number): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= length ? words.join(' ') : `${words.slice(0, length).join(' ')}...`;
}

export function isMember(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
