import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { menu } from '#domain/term/kinds.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { type MenuPlace, menuIn, menuPlaces } from '#site/menus.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import type { Answer, Call, Context, Route } from '../../engine/types.ts';
import { keyedBy } from '../records/answers.ts';
import {
  defineFields,
  type Field,
  type FieldRecord,
  fieldConstructors,
  type ReadFieldTypes,
  recordSchema,
} from '../records/field.ts';
import { everywhere } from '../records/property.ts';
import { contextArg } from '../records/usual-args.ts';

type PlaceTypes = ReadFieldTypes<MenuPlace, Model>;

const { int, text } = fieldConstructors<PlaceTypes>({ readonly: true });

/** Every field of locations, in the order in which records have them. */
const fields: readonly Field<PlaceTypes>[] = [
  text('name', everywhere, 'The name of the menu location.'),
  text('description', everywhere, 'The description of the menu location.'),
  int('menu', everywhere, 'The ID of the assigned menu.', { read: menuIn }),
  { name: '_links', context: everywhere, json: linksJson },
];

const placeFields = defineFields<PlaceTypes>(fields)(null);
const collection = `/${CONTENT}/menu-locations`;
const schema = (): unknown => recordSchema('menu-location', placeFields.properties());
const depends = () => ['terms', 'site'];
const location = { schema: z.string().describe('An alphanumeric identifier for the menu location.') };

/** Locations for menus (interface behaviour, section 29). */
export function menuLocationRoutes(): readonly Route<Model, Session>[] {
  const shared = { methods: ['GET'], permission: mayView, depends } as const;
  return [
    {
      namespace: CONTENT,
      pattern: collection,
      schema,
      endpoints: [{ ...shared, args: { context: contextArg }, query: listPlaces, keyed: true }],
    },
    {
      namespace: CONTENT,
      pattern: `${collection}/(?P<location>[\\w-]+)`,
      schema,
      endpoints: [{ ...shared, args: { location, context: contextArg }, query: showPlace }],
    },
  ];
}

/** Everybody may see locations with a menu, which pages show; the others are for administrators. */
function mayView({ viewer, params, model }: Call<Model>): Refusal | null {
  const { location } = params;
  const filled = menuPlaces(model).filter((place) => menuIn(place, model) !== 0);
  const isShown = location === undefined ? filled.length > 0 : filled.some(({ name }) => name === location);
  return isShown || may(viewer, menu.rights.manage)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to view menu locations.');
}

function listPlaces({ params, model, viewer }: Call<Model>): Answer {
  const all = menuPlaces(model);
  const shown = may(viewer, menu.rights.manage) ? all : all.filter((place) => menuIn(place, model) !== 0);
  return keyedBy(shown.map((place) => [place.name, recordOf(place, params, model)]));
}

function showPlace({ params, model }: Call<Model>): Answer | Refusal {
  const place = menuPlaces(model).find(({ name }) => name === params['location']);
  if (place === undefined) return refuse('rest_menu_location_invalid', 'Invalid menu location.');
  return { body: { kind: 'record', record: recordOf(place, params, model) } };
}

function recordOf(place: MenuPlace, params: Call<Model>['params'], model: Model): FieldRecord {
  return placeFields.record(params['context'] as Context, place, model);
}

function linksJson(place: MenuPlace, model: Model): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const id = menuIn(place, model);
  const links = [
    `"self":[{"href":${asciiJson(`${rest}/menu-locations/${place.name}`)}}]`,
    `"collection":[{"href":"${rest}/menu-locations"}]`,
    ...(id === 0 ? [] : [`"${prefix}:menu":[{"embeddable":true,"href":"${rest}/${menu.base}/${id}"}]`]),
    curies,
  ];
  return `{${links.join()}}`;
}
