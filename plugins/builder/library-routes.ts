import { type PluginRoute, z } from 'palimpsest/plugin';
import { devmode, reset, setDevModeRoute, showDesign, showLibrary } from './designs/library.ts';
import { listShared, withdrawShared } from './designs/sharing.ts';
import { getRoute, paramsOf, postRoute } from './fields.ts';
import { libraryStyleFields, removeBlockStyle, styleNames, updateBlockStyle } from './styles.ts';

const count = z.int().min(0);
/** UTC, ISO 8601 with milliseconds. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const design = {
  designId: z.string(),
  label: z.string(),
  description: z.string(),
  category: z.string(),
  image: z.string(),
  plan: z.literal('free'),
  template: z.url(),
};

const named = { slug: z.string(), name: z.string(), data: z.string(), save: z.string() };

const library = z.object({
  v3: z.record(z.string(), z.object(design)),
  block_styles: z.array(z.object({ block: z.string(), styles: z.array(z.object(named)) })),
  revision: count,
});

const fullDesign = z.object({ ...design, content: z.string().describe('Block markup') });

const done = z.literal(true);

const shares = z.array(z.object({ design: z.string(), until: time, link: z.url() }));

const withdrawn = z.object({ deleted: z.literal(true) });

export const libraryRoutes: readonly PluginRoute[] = [
  {
    ...getRoute('design_library(?:/(?P<reset>reset))?', 'List the designs'),
    args: paramsOf(reset),
    answers: library,
    command: showLibrary,
  },
  {
    ...getRoute('design/(?P<version>[\\w\\d-]*)/(?P<design>[\\w\\d-]+)', 'Show a design with its content'),
    answers: fullDesign,
    query: showDesign,
  },
  {
    ...postRoute('design_library_dev_mode', 'Offer the pages of the site as designs'),
    args: paramsOf(devmode),
    answers: done,
    command: setDevModeRoute,
  },
  {
    ...postRoute('update_block_style', 'Save a style of blocks'),
    args: paramsOf(...libraryStyleFields),
    answers: done,
    command: updateBlockStyle,
  },
  {
    ...postRoute('delete_block_style', 'Delete a style of blocks'),
    args: paramsOf(...styleNames),
    answers: done,
    command: removeBlockStyle,
  },
  {
    unlisted: true,
    ...getRoute('shared_designs', 'List the designs that are shared'),
    answers: shares,
    query: listShared,
  },
  {
    unlisted: true,
    method: 'DELETE',
    path: 'shared_designs/(?P<hash>[\\da-f]{64})',
    access: 'editOthers',
    summary: 'No longer share a design',
    args: { hash: { schema: z.string().describe('Last part of the address.') } },
    answers: withdrawn,
    command: withdrawShared,
  },
];
