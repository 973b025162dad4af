import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { listOf } from '#text/shapes.ts';
import { argDescriptor, type Descriptor } from './descriptors.ts';
import { notInEnum } from './faults.ts';
import type { Args, Call, Fault } from './types.ts';
import { coerce, lengthFault, validate } from './validate.ts';

export interface CompiledArg<M> {
  readonly name: string;
  readonly descriptor: Descriptor;
  readonly second: boolean;
  readonly unchecked: boolean;
  readonly check: ((value: unknown, call: Call<M>) => Fault | null) | undefined;
  /** Null would be coerced to a value outside the enum. Only for reads: a write takes null as "no change". */
  readonly refusesNull: boolean;
  /** See `Arg`. */
  readonly embedded: number | undefined;
  /** The default, coerced; undefined if there is none. */
  readonly fallback: unknown;
}

export interface CompiledArgs<M> {
  readonly all: readonly CompiledArg<M>[];
  readonly byName: ReadonlyMap<string, CompiledArg<M>>;
  readonly required: readonly string[];
  readonly rounds: readonly (readonly CompiledArg<M>[])[];
}

export interface OpenCall<M> extends Call<M> {
  readonly params: Record<string, unknown>;
}

export function compileArgs<M>(args: Args<M>, { isRead }: { readonly isRead: boolean }): CompiledArgs<M> {
  const all = Object.entries(args).map(([name, arg]): CompiledArg<M> => {
    const descriptor = argDescriptor(arg);
    const unchecked =
      arg.unchecked === true ||
      (descriptor.type === undefined && descriptor.oneOf === undefined && arg.check === undefined);
    // A default of null only appears in the description; it counts as no default.
    const fallback = descriptor.default ?? undefined;
    return {
      name,
      descriptor,
      second: arg.pass === 2,
      unchecked,
      check: arg.check,
      refusesNull: isRead && !unchecked && descriptor.enum?.includes(coerce(null, descriptor)) === false,
      embedded: arg.embedded ?? descriptor.maximum,
      fallback: fallback === undefined || unchecked ? fallback : coerce(fallback, descriptor),
    };
  });
  return {
    all,
    byName: new Map(all.map((arg) => [arg.name, arg])),
    required: all.filter(({ descriptor }) => descriptor.required === true).map(({ name }) => name),
    rounds: [all.filter(({ second }) => !second), all.filter(({ second }) => second)],
  };
}

/**
 * Checks and coerces a call's parameters (interface behaviour, section 3). All faults of one round are reported together. After a
 * refusal the valid ones are still coerced, because permission checks read them.
 */
export function checkArgs<M>(args: CompiledArgs<M>, call: OpenCall<M>): Refusal | null {
  const refusal = missing(args, call) ?? firstFaults(args, call);
  if (refusal !== null) settleArgs(args, call);
  return refusal;
}

export function settleArgs<M>({ all }: CompiledArgs<M>, call: OpenCall<M>): void {
  for (const arg of all) {
    const value = call.params[arg.name];
    if (value === undefined || (value === null && arg.refusesNull)) fillIn(arg, call);
    else if (!arg.unchecked && (value === null || validate(value, arg.descriptor, arg.name) === null)) {
      call.params[arg.name] = coerce(value, arg.descriptor);
    }
  }
}

function missing<M>({ byName, required }: CompiledArgs<M>, { params }: OpenCall<M>): Refusal | null {
  if (required.length === 0) return null;
  const absent = required.filter((name) => (params[name] ?? byName.get(name)?.fallback ?? null) === null);
  if (absent.length === 0) return null;
  return refuse('rest_missing_callback_param', `Missing parameter(s): ${absent.join(', ')}`, { params: absent });
}

function firstFaults<M>({ rounds }: CompiledArgs<M>, call: OpenCall<M>): Refusal | null {
  for (const round of rounds) {
    const faults = roundFaults(round, call);
    if (faults !== null) return invalid(faults);
    for (const arg of round) {
      const value = call.params[arg.name];
      if (value === undefined) fillIn(arg, call);
      else if (!arg.unchecked) call.params[arg.name] = coerce(value, arg.descriptor);
    }
  }
  return null;
}

function roundFaults<M>(round: readonly CompiledArg<M>[], call: OpenCall<M>): Map<string, Fault> | null {
  let faults: Map<string, Fault> | null = null;
  for (const arg of round) {
    const value = call.params[arg.name];
    if (value === undefined || arg.unchecked) continue;
    const found = faultOf(arg, value, call);
    if (found === null) continue;
    faults ??= new Map();
    faults.set(arg.name, found);
  }
  return faults;
}

function faultOf<M>(arg: CompiledArg<M>, value: unknown, call: OpenCall<M>): Fault | null {
  if (value === null && arg.refusesNull) return notInEnum(arg.name, arg.descriptor.enum ?? []);
  if (value === null && (!arg.second || arg.check !== undefined)) return null;
  if (arg.check === undefined) return validate(value, arg.descriptor, arg.name);
  const isList = arg.descriptor.type === 'array';
  return (isList ? lengthFault(listOf(value), arg.descriptor, arg.name) : null) ?? arg.check(value, call);
}

function invalid(faults: ReadonlyMap<string, Fault>): Refusal {
  const entries = [...faults];
  const detailed = entries.filter(([, { bare }]) => bare !== true);
  return refuse('rest_invalid_param', `Invalid parameter(s): ${[...faults.keys()].join(', ')}`, {
    params: Object.fromEntries(entries.map(([name, { message }]) => [name, message])),
    details: Object.fromEntries(detailed.map(([name, { code, message, data }]) => [name, { code, message, data }])),
  });
}

function fillIn<M>({ name, fallback }: CompiledArg<M>, { params }: OpenCall<M>): void {
  if (fallback !== undefined) params[name] = fallback;
}

/** Parameters that every route understands, and those that clients of the family send without need. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  '_fields',
  '_embed',
  '_envelope',
  '_jsonp',
  '_method',
  '_locale',
  '_wpnonce',
]);

/** Names that are told, and characters of each. */
const MOST = 20;
const LONGEST = 60;

/**
 * The parameters and members of a request that its endpoint does not understand, for a header; '' if there are none. They have no effect: a
 * misspelt one would otherwise go unnoticed.
 */
export function ignoredIn<M>(
  sources: readonly Readonly<Record<string, unknown>>[],
  { byName }: CompiledArgs<M>,
  path: Readonly<Record<string, unknown>>,
): string {
  // It reads the request as a whole.
  if (byName.size === 0) return '';
  const found = new Set<string>();
  for (const source of sources) {
    for (const name in source) {
      if (byName.has(name) || EVERYWHERE.has(name) || name in path) continue;
      found.add(name);
      if (found.size >= MOST) return headerList(found);
    }
  }
  return found.size === 0 ? '' : headerList(found);
}

function headerList(names: ReadonlySet<string>): string {
  return [...names].map((name) => encodeURIComponent(name.slice(0, LONGEST).toWellFormed())).join(', ');
}
