import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import type { Call, Context } from '../../engine/types.ts';

/** What can be searched: the values of `type`. */
export const searched = ['post', 'term', 'post-format'] as const;
export type SearchedHit = (typeof searched)[number];

export interface Hit {
  readonly id: number | string;
  readonly title: JsonText;
  readonly url: string;
  /** Of terms: their taxonomy. */
  readonly type: string;
  /** Of entries: their kind. */
  readonly subtype?: string;
  /** Paths of its record and of the type of the record below the namespace; null: it has none. */
  readonly record: { readonly path: string; readonly about: string; readonly allow: readonly string[] } | null;
}

export interface Page {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** Carries out a search. `subtypes`: the requested ones of the type, or `any`. */
export type HitSearch = (call: Call<Model>, subtypes: readonly string[]) => Page;

interface HitTypes {
  readonly kind: SearchedHit;
  readonly row: Hit;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const shown = { context: ['view', 'embed'] as readonly Context[], readonly: true } as const;
const text = () => z.string();

/** Every field of search results, in the order in which records have them. */
const fields: readonly Field<HitTypes>[] = [
  {
    ...{ name: 'id', ...shown },
    description: 'Unique identifier for the object.',
    schema: () => z.union([z.int(), z.string()]),
    json: ({ id }) => asciiJson(id),
  },
  {
    ...{ name: 'title', ...shown },
    description: 'The title for the object.',
    schema: text,
    json: ({ title }) => title,
  },
  {
    ...{ name: 'url', ...shown },
    description: 'URL to the object.',
    schema: () => z.string().meta({ format: 'uri' }),
    json: ({ url }) => asciiJson(url),
  },
  {
    ...{ name: 'type', ...shown },
    description: 'Object type.',
    schema: text,
    json: ({ type }) => asciiJson(type),
  },
  {
    ...{ name: 'subtype', ...shown },
    when: (kind) => kind === 'post',
    description: 'Object subtype.',
    schema: text,
    json: ({ subtype = '' }) => asciiJson(subtype),
  },
  { name: '_links', context: shown.context, json: (hit, model) => linksJson(hit, linkParts(model.site())) },
];

export const hitFields = defineFields<HitTypes>(fields);

export const hitSchema = (): unknown => recordSchema('search-result', hitFields('post').properties());

function linksJson({ record }: Hit, { rest }: LinkParts): JsonText {
  const collection = `"collection":[{"href":"${rest}/search"}]`;
  if (record === null) return `{${collection}}`;
  const { path, about, allow } = record;
  const hints = allow.length === 0 ? '' : `,"targetHints":{"allow":${JSON.stringify(allow)}}`;
  const self = `"self":[{"embeddable":true,"href":"${rest}${path}"${hints}}]`;
  return `{${self},"about":[{"href":"${rest}${about}"}],${collection}}`;
}
