import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { coerce } from '../../../engine/coerce.ts';
import { descriptorOf } from '../../../engine/descriptors.ts';
import { fault } from '../../../engine/faults.ts';
import type { Arg, Args, Call, Fault } from '../../../engine/types.ts';
import { validate } from '../../../engine/validate.ts';

/** A parameter of which the index says only whether it is required, or nothing at all. It is checked nonetheless, and typed when read. */
export interface SentField<T> {
  readonly name: string;
  readonly arg: Arg<Model>;
  /** The sent value; undefined if absent. Only for calls that have passed the checks. */
  of(call: Call<Model>): T | undefined;
}

type Check = (value: unknown) => Fault | null;

interface Options {
  readonly required?: true;
  readonly hidden?: true;
  /** An additional check; returns a fault or null. */
  readonly also?: Check;
}

export function lenient<S extends z.ZodType>(name: string, schema: S, options: Options = {}): SentField<z.output<S>> {
  const descriptor = descriptorOf(schema);
  const check = (value: unknown) =>
    validate(value, descriptor, name) ?? options.also?.(coerce(value, descriptor)) ?? null;
  return {
    name,
    arg: argOf(check, options, schema),
    of: ({ params }) => {
      const value = params[name];
      return value === undefined || value === null ? undefined : (coerce(value, descriptor) as z.output<S>);
    },
  };
}

export function strict<S extends z.ZodType>(name: string, schema: S, options: Options = {}): SentField<z.output<S>> {
  const check = (value: unknown) => {
    const read = schema.safeParse(value);
    if (!read.success) return fault('invalid_param', `${name}: ${z.prettifyError(read.error)}`);
    return options.also?.(value) ?? null;
  };
  return {
    name,
    arg: argOf(check, options, schema),
    of: ({ params }) => {
      const value = params[name];
      return value === undefined || value === null ? undefined : schema.parse(value);
    },
  };
}

export function sentArgsOf(...fields: readonly SentField<unknown>[]): Args<Model> {
  return Object.fromEntries(fields.map(({ name, arg }) => [name, arg]));
}

function argOf(check: Check, { required, hidden }: Options, sent: z.ZodType): Arg<Model> {
  return {
    schema: z.unknown(),
    sent,
    check,
    ...(required === true ? { required } : {}),
    ...(hidden === true ? { hidden } : {}),
  };
}

/** A parameter that only the handler checks and only the documentation lists. */
export function told(schema: z.ZodType): Arg<Model> {
  return { schema, hidden: true, unchecked: true };
}
