import { zoneOf } from '#domain/time/zone.ts';
import { type SiteSource, SourceFault } from '#wxr/records.ts';
import { followTask } from '../follow.ts';
import type { Outcome } from '../outcome.ts';
import { Stopped } from '../progress.ts';
import { requireLog } from '../store-verb.ts';
import type { VerbPlace } from '../verb.ts';
import { type Ask, askingBy, NotCarriedOut } from './asking.ts';
import { type Catalogue, isKnownType, readCatalogue } from './catalogue.ts';
import { migrationControls } from './controls.ts';
import { type OpenedSource, openSource, type SourceArgs } from './opening.ts';
import { SourcePlaces } from './places.ts';
import type { Making } from './states.ts';
import { type MigrationTarget, type Series, targetSchema } from './target.ts';

/** A source that was read once, and the site that it goes to. */
export interface Carrying extends OpenedSource {
  readonly place: VerbPlace;
  readonly catalogue: Catalogue;
  readonly target: MigrationTarget;
  readonly ask: Ask;
}

/** Reads a source for the first time, asks the process with the store about the site, and does work with both. */
export async function carrying(
  place: VerbPlace,
  args: SourceArgs & { readonly as?: string | undefined },
  work: (carried: Carrying) => Promise<Outcome>,
): Promise<Outcome> {
  const refusal = (error: unknown) => refusalOf(error, place);
  try {
    requireLog(place.config);
    const opened = await openSource(args, place);
    const catalogue = await catalogueOf(opened.source, place);
    return await followTask(
      place,
      'migration target',
      { origin: catalogue.origin, ...(args.as === undefined ? {} : { as: args.as }) },
      {
        controls: migrationControls,
        untilDone: async (begun, ask) => {
          const target = targetSchema.parse(begun);
          const refused = unknownAccount(opened, target) ?? sameSite(opened.source, catalogue, target);
          return refused ?? work({ ...opened, place, catalogue, target, ask: askingBy(ask) }).catch(refusal);
        },
      },
    );
  } catch (error) {
    return refusal(error);
  }
}

/** The refusal if an author of the source is to be an account that is not here; null: there is none. */
function unknownAccount({ authors }: Pick<OpenedSource, 'authors'>, { users }: MigrationTarget): Outcome | null {
  const here = new Set(users.flatMap(({ login, email }) => [login.toLowerCase(), email.toLowerCase()]));
  const [theirs, ours] = [...authors].find(([, login]) => !here.has(login.toLowerCase())) ?? [];
  if (ours === undefined) return null;
  const message = `--authors: there is no account ${ours} here, which ${theirs} is to be: make it with "user add", or name another.`;
  return { kind: 'refused', code: 'invalid_username', message };
}

/** The refusal if a live source is the site that it would go to; null: it is another. */
function sameSite({ form }: SiteSource, { site, authors, terms }: Catalogue, target: MigrationTarget): Outcome | null {
  // The new site may have the address of the old one already.
  const accounts = new Map(target.users.map(({ login, id }) => [login, id]));
  const isSame =
    form === 'site' &&
    [site.url, site.baseUrl].includes(target.site.url) &&
    [...authors.values()].every(({ id, login }) => login === '' || accounts.get(login) === id) &&
    [...terms.values()].every((term) => target.terms.some(({ id, slug }) => id === term.id && slug === term.slug));
  if (!isSame) return null;
  const message = `${target.site.url} is this site itself: name another, or another DATA_DIR.`;
  return { kind: 'refused', code: 'same_site', message };
}

/** Why a source could not be read, or a verb was not carried out. Throws what is neither. */
function refusalOf(error: unknown, { signal }: VerbPlace): Outcome {
  if (signal.aborted)
    throw new Stopped('Stopped. What was imported stays: run the same command again, and it goes on.');
  if (error instanceof NotCarriedOut) return error.outcome;
  if (error instanceof SourceFault) return { kind: 'refused', code: error.code, message: error.message };
  throw error;
}

async function catalogueOf(source: SiteSource, { progress }: VerbPlace): Promise<Catalogue> {
  const { total, unit } = source;
  const task = progress({ name: 'looking through the source', total, unit });
  try {
    return await readCatalogue(source, () => task.at(source.done()));
  } finally {
    task.end();
  }
}

const none: Readonly<Record<Series, number>> = { item: 0, term: 0, user: 0, comment: 0 };

/** The places of a source before ids are kept for it, and how many ids of each series it needs besides its own. */
export async function placesBefore({ catalogue, target, authors, ask }: Carrying) {
  const next = target.next;
  const free = (of: Series) => ({ from: next[of], to: Math.max(next[of], catalogue.highest[of] + 1) });
  const own = { item: free('item'), term: free('term'), user: free('user'), comment: free('comment') };
  const base = { item: own.item.to, term: own.term.to, user: own.user.to, comment: own.comment.to };
  const kept = [...target.runs.map(({ ids }) => ids), own];
  const places = new SourcePlaces({ catalogue, target, kept, extra: base, authors });
  for (const id of catalogue.items.keys()) places.item(id);
  for (const key of catalogue.authors.keys()) places.user({ name: key });
  for (const { taxonomy, slug } of catalogue.terms.values()) places.term(taxonomy, { name: slug });
  await rename(places, { catalogue, ask });
  return { places, extra: places.extraUsed };
}

/** The places once ids are kept. */
export async function placesWith(
  { catalogue, target, authors, ask }: Carrying,
  ids: MigrationTarget['runs'][number]['ids'] | null,
  extra = none,
): Promise<SourcePlaces> {
  const kept = [...target.runs.map((run) => run.ids), ...(ids === null ? [] : [ids])];
  const from = (of: Series) => (ids === null ? 0 : ids[of].to - extra[of]);
  const first = { item: from('item'), term: from('term'), user: from('user'), comment: from('comment') };
  // What is behind the own ids is for others.
  const own = kept.map((one) => (one === ids ? cut(one, first) : one));
  const places = new SourcePlaces({ catalogue, target, kept: own, extra: first, authors });
  await rename(places, { catalogue, ask });
  return places;
}

function cut(ids: MigrationTarget['runs'][number]['ids'], first: Readonly<Record<Series, number>>) {
  const range = (of: Series) => ({ from: ids[of].from, to: first[of] });
  return { item: range('item'), term: range('term'), user: range('user'), comment: range('comment') };
}

/** Entries that are asked about at a time. */
const atOnce = 1000;

/** Notes the slugs that items have here because others have theirs. */
async function rename(places: SourcePlaces, { catalogue, ask }: Pick<Carrying, 'catalogue' | 'ask'>): Promise<void> {
  let batch: { id: number; kind: string; slug: string; parent: number }[] = [];
  const sources = new Map<number, number>();
  const settle = async () => {
    const taken = (await ask('migration names', { items: batch })) as readonly { id: number; instead: string }[];
    for (const { id, instead } of taken) places.rename(sources.get(id) ?? 0, instead);
    batch = [];
    sources.clear();
  };
  for (const [id, { type, slug, parent }] of catalogue.items) {
    if (slug === '' || !isKnownType(type)) continue;
    const here = places.item(id);
    sources.set(here, id);
    batch.push({ id: here, kind: type, slug, parent: places.item(parent) });
    if (batch.length === atOnce) await settle();
  }
  if (batch.length > 0) await settle();
}

/** How states are made of the records of a source. */
export function makingOf(places: SourcePlaces, { catalogue, target }: Pick<Carrying, 'catalogue' | 'target'>): Making {
  return { places, zone: zoneName(catalogue.site.timezone) ?? target.site.timezone };
}

function zoneName(name: string): string | null {
  if (name === '') return null;
  try {
    zoneOf(name);
    return name;
  } catch {
    return null;
  }
}

/** How a source is read: what only an account is told comes when it is read with one. */
export function readingForm({ source, authorization }: Pick<Carrying, 'source' | 'authorization'>): string {
  return source.form === 'site' && authorization === null ? 'public' : source.form;
}
