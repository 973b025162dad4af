import { category, tag } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { termLink } from '#site/addresses/items.ts';
import { parseQuery } from '#text/query-string.ts';
import { datesOf, type ListingPage, listingOfDays, weekIn } from './listing.ts';

type Parameters = Readonly<Record<string, string>>;
/** What a query chooses: the address of a list, or one without an address of its own; undefined: what is not there. */
type Chosen = { readonly address: string } | { readonly listing: ListingPage } | undefined;

/** What a form that chooses a list sends (`choosing`), and the plain form of addresses of lists; null: the query is neither. */
export function chosenIn(query: string, model: Model): Chosen | null {
  const given = Object.entries(query === '' ? {} : parseQuery(query));
  const parameters = Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  for (const [name, choose] of Object.entries(choices)) {
    const value = parameters[name];
    if (value !== undefined) return choose(value, { model, parameters });
  }
  return null;
}

interface Asked {
  readonly model: Model;
  readonly parameters: Parameters;
}

const choices: Readonly<Record<string, (value: string, asked: Asked) => Chosen>> = {
  'archive-dropdown': (value, { model }) => {
    const { url } = model.site();
    if (value === '') return { address: `${url}/` };
    // Only addresses of the site: a redirect to any other could be used to mislead.
    return value.startsWith(`${url}/`) && URL.canParse(value) ? { address: new URL(value).href } : undefined;
  },
  m: (value, { model, parameters }) => {
    const [, year = '', ...rest] = /^(\d{4})(\d\d)?(\d\d)?$/.exec(value) ?? [];
    const { url, startOfWeek } = model.site();
    const week = parameters['w'];
    if (week === undefined) {
      const parts = [year, ...rest.filter((part) => part !== undefined)];
      return datesOf(parts) === null ? undefined : { address: `${url}/${parts.join('/')}/` };
    }
    const days = /^\d\d?$/.test(week) ? weekIn(year, Number(week), startOfWeek) : null;
    const place = { address: `${url}/`, parameters: `m=${year}&w=${week}` };
    const listing = days && listingOfDays(days, place, model);
    return listing === null ? undefined : { listing };
  },
  cat: (value, { model }) =>
    /^\d{1,15}$/.test(value) ? termWith(model.term(Number(value)), model) : nothing(value, model),
  category_name: (value, { model }) => termWith(model.termBySlug(category.name, value), model) ?? nothing(value, model),
  tag: (value, { model }) => termWith(model.termBySlug(tag.name, value), model) ?? nothing(value, model),
};

function termWith(term: ReturnType<Model['term']>, model: Model): Chosen {
  return term === undefined ? undefined : { address: termLink(term, model) };
}

/** The value of the first option, with which nothing is chosen. */
function nothing(value: string, model: Model): Chosen {
  return value === '-1' ? { address: `${model.site().url}/` } : undefined;
}
