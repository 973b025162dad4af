import { z } from 'zod';
import { limited, optional } from '#domain/kernel/limits.ts';
import type { EntryKind } from './kinds.ts';
import { formats } from './vocabulary.ts';

/**
 * Settings of an entry: scalar fields that any save may change. From a row here follow the entry's state, both of its events, the fields of
 * a command, plan, difference, fold and the column of the projection.
 */

interface Detail<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly initial: (kind: EntryKind) => z.infer<S>;
  readonly filterable?: true;
  readonly sealed?: boolean;
}

const openness = z.enum(['open', 'closed']);

/** Fields that every `EntryCreated` contains. */
const first = {
  commentStatus: detail(openness, ({ discussion }) => discussion),
  pingStatus: detail(openness, ({ discussion }) => discussion),
  format: filterable(detail(z.enum(formats), () => 'standard' as const)),
  template: words({ sealed: false }),
  menuOrder: filterable(detail(z.int(), () => 0)),
  featuredMedia: detail(z.int().min(0), () => 0),
};

/** Fields added later: `EntryCreated` contains them only where they differ from the initial value of the kind. */
const later = {
  /** Whether footnotes were once sent empty: sending them again is then no change. */
  emptiedFootnotes: detail(z.boolean(), () => false),
};

const details = { ...first, ...later };

export type Details = { readonly [N in keyof typeof details]: z.infer<(typeof details)[N]['schema']> };
export type DetailName = keyof Details;
type SealedName = { [N in DetailName]: (typeof details)[N] extends { readonly sealed: true } ? N : never }[DetailName];

export const detailNames = Object.keys(details) as readonly DetailName[];
export const filterableNames = detailNames.filter((name) => 'filterable' in details[name]);
export const sealedDetails = detailNames.filter(isSealed);
/** What is left of the sealed ones after an erasure. */
export const erasedDetails = of(sealedDetails, () => '') as Pick<Details, SealedName>;
const laterNames = Object.keys(later) as readonly DetailName[];

/** Members of `EntryCreated`. */
export const createdDetails = { ...schemasOf(first), ...optional(schemasOf(later)) };

/** Members of `EntryDetailsChanged`: the changed fields. */
export const changedDetails = optional(schemasOf(details));

export const detailSchemas: Readonly<Record<DetailName, z.ZodType>> = schemasOf(details);

export function initialDetails(kind: EntryKind): Details {
  let known = initial.get(kind);
  if (known === undefined) {
    known = of(detailNames, (name) => details[name].initial(kind)) as Details;
    initial.set(kind, known);
  }
  return known;
}

const initial = new Map<EntryKind, Details>();

export function planDetails(now: Details, fields: Partial<Details>): Details {
  return of(detailNames, (name) => fields[name] ?? now[name]) as Details;
}

export function detailsThatDiffer(before: Details, after: Details): Partial<Details> {
  const different = detailNames.filter((name) => before[name] !== after[name]);
  return of(different, (name) => after[name]);
}

export function namedDetails(data: Partial<Details>): Partial<Details> {
  const named = detailNames.filter((name) => data[name] !== undefined);
  return of(named, (name) => data[name]);
}

export function filterableValues(entry: Details): Readonly<Record<string, string | number | boolean>> {
  return of(filterableNames, (name) => entry[name]);
}

/** Omits the later fields that have the initial value of the kind. */
export function writtenAtFirst<T extends Details>(entry: T, kind: EntryKind): T {
  const initial = initialDetails(kind);
  const written: Record<string, unknown> = {};
  for (const name in entry) {
    if (!isLater(name) || entry[name] !== initial[name]) written[name] = entry[name];
  }
  return written as T;
}

const lateNames: ReadonlySet<string> = new Set(laterNames);

function isLater(name: string): name is (typeof laterNames)[number] {
  return lateNames.has(name);
}

function detail<S extends z.ZodEnum | z.ZodInt | z.ZodBoolean>(
  schema: S,
  initial: (kind: EntryKind) => z.infer<S>,
): Detail<S> {
  return { schema, initial };
}

function filterable<D extends Detail>(field: D): D & { readonly filterable: true } {
  return { ...field, filterable: true };
}

/** Free text. `sealed`: people write it, so that it has to be erasable; false for a name of something that the site has. */
function words<S extends boolean>({ sealed }: { readonly sealed: S }): Detail<z.ZodString> & { readonly sealed: S } {
  return { schema: limited.word, initial: () => '', sealed };
}

function isSealed(name: DetailName): name is SealedName {
  return 'sealed' in details[name] && details[name].sealed;
}

function of(names: readonly DetailName[], value: (name: DetailName) => unknown): Partial<Details> {
  const values: Partial<Record<DetailName, unknown>> = {};
  for (const name of names) values[name] = value(name);
  return values as Partial<Details>;
}

type Schemas<D extends Readonly<Record<string, Detail>>> = { [N in keyof D]: D[N]['schema'] };

function schemasOf<D extends Readonly<Record<string, Detail>>>(rows: D): Schemas<D> {
  return Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema])) as Schemas<D>;
}
