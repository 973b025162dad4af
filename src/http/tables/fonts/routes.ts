import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { emptyList, noSuch } from '../../engine/absent.ts';
import { outlineSchema } from '../../engine/outline-schema.ts';
import type { Args, Call, Route } from '../../engine/types.ts';
import { contextArg, pagingArgs } from '../../engine/usual-args.ts';

const depends = () => ['site'];
const second = (schema: z.ZodType) => ({ schema, pass: 2 }) as const;
const { context, page, per_page } = pagingArgs;
const listArgs = { context, page, per_page } as Args<Model>;
const numbered = (what: string) => second(z.int().describe(`Unique identifier for the ${what}.`));
const settings = (what: string) =>
  second(z.string().describe(`${what} declaration in theme.json format, encoded as a string.`));
const family = { id: numbered('font family') };
const faces = { font_family_id: numbered('font family') };

const noFamily = noSuch('rest_post_invalid_id', 'Invalid post ID.');
const noParent = noSuch('rest_post_invalid_parent', 'Invalid post parent ID.');
const noCollection = noSuch('rest_font_collection_not_found', 'Font collection not found.');

const map = z.record(z.string(), z.unknown());
const themeJson = z.int();
const familySchema = outlineSchema('wp_font_family', {
  id: [z.int(), 'Unique identifier for the post.'],
  theme_json_version: [themeJson, 'Version of the theme.json schema used for the typography settings.'],
  font_faces: [z.array(z.int()), 'The IDs of the child font faces in the font family.'],
  font_family_settings: [map, 'font-face definition in theme.json format.'],
});
const faceSchema = outlineSchema('wp_font_face', {
  id: [z.int(), 'Unique identifier for the post.'],
  theme_json_version: [themeJson, 'Version of the theme.json schema used for the typography settings.'],
  parent: [z.int(), 'The ID for the parent font family of the font face.'],
  font_face_settings: [map, 'font-face declaration in theme.json format.'],
});
const collectionSchema = outlineSchema('font-collection', {
  slug: [z.string(), 'Unique identifier for the font collection.'],
  name: [z.string(), 'The name for the font collection.'],
  description: [z.string(), 'The description for the font collection.'],
  font_families: [z.array(map), 'The font families for the font collection.'],
  categories: [z.array(map), 'The categories for the font collection.'],
});

/** No fonts are stored or offered here: pages use those of their readers or of their theme (interface behaviour, section 38). */
export function fontRoutes(): readonly Route<Model, Session>[] {
  return [...familyRoutes(), ...faceRoutes(), ...collectionRoutes()];
}

const list = ({ model }: Call<Model>) => emptyList(model.site().names.headers);
const readOf =
  (what: string) =>
  ({ viewer }: Call<Model>): Refusal | null =>
    may(viewer, 'edit_theme_options')
      ? null
      : refuse('rest_cannot_read', `Sorry, you are not allowed to access ${what}.`);

const nobody = noSuch('rest_cannot_create', 'Sorry, this server stores no fonts.');

function familyRoutes(): readonly Route<Model, Session>[] {
  const route = { namespace: CONTENT, schema: familySchema } as const;
  const pattern = `/${CONTENT}/font-families`;
  const mayRead = readOf('font families');
  return [
    {
      ...{ ...route, pattern },
      endpoints: [
        { methods: ['GET'], args: listArgs, permission: mayRead, query: list, depends },
        {
          methods: ['POST'],
          args: { font_family_settings: settings('font-family') },
          permission: nobody,
          command: nobody,
        },
      ],
    },
    {
      ...{ ...route, pattern: `${pattern}/(?P<id>[\\d]+)` },
      endpoints: [
        {
          methods: ['GET'],
          args: { ...family, context: contextArg },
          permission: (call) => mayRead(call) ?? noFamily(),
          query: noFamily,
          depends,
        },
      ],
    },
  ];
}

function faceRoutes(): readonly Route<Model, Session>[] {
  const route = { namespace: CONTENT, schema: faceSchema } as const;
  const pattern = `/${CONTENT}/font-families/(?P<font_family_id>[\\d]+)/font-faces`;
  const mayRead = readOf('font faces');
  const args = { ...faces, id: numbered('font face'), context: contextArg };
  return [
    {
      ...{ ...route, pattern },
      endpoints: [
        { methods: ['GET'], args: { ...faces, ...listArgs }, permission: mayRead, query: noParent, depends },
        {
          ...{ methods: ['POST'], args: { ...faces, font_face_settings: settings('font-face') }, permission: nobody },
          command: nobody,
        },
      ],
    },
    {
      ...{ ...route, pattern: `${pattern}/(?P<id>[\\d]+)` },
      endpoints: [{ methods: ['GET'], args, permission: mayRead, query: noParent, depends }],
    },
  ];
}

function collectionRoutes(): readonly Route<Model, Session>[] {
  const route = { namespace: CONTENT, schema: collectionSchema } as const;
  const pattern = `/${CONTENT}/font-collections`;
  const mayRead = readOf('font collections');
  const slug = { schema: z.string().describe('Unique identifier for the font collection.') };
  return [
    {
      ...{ ...route, pattern },
      endpoints: [{ methods: ['GET'], args: listArgs, permission: mayRead, query: list, depends }],
    },
    {
      ...{ ...route, pattern: `${pattern}/(?P<slug>[\\/\\w-]+)` },
      endpoints: [
        { methods: ['GET'], args: { slug, context: contextArg }, permission: mayRead, query: noCollection, depends },
      ],
    },
  ];
}
