import { z } from 'zod';
import { count, instant } from '../kit/answers.ts';
import { sentArgsOf } from '../kit/field.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
import { devmode, reset, setDevModeRoute, showDesign, showLibrary } from './library.ts';
import { listShared, withdrawShared } from './sharing.ts';
import { libraryStyleFields, removeBlockStyle, styleNames, updateBlockStyle } from './styles.ts';

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

const shares = z.array(z.object({ design: z.string(), until: instant, link: z.url() }));

const withdrawn = z.object({ deleted: z.literal(true) });

const name = 'builder/v2';
const access = 'editPosts';

export const builderV2: Namespace = {
  name,
  routes: ({ settings }) =>
    tableOf(name, [
      {
        ...{ method: 'GET', path: 'design_library(?:/(?P<reset>reset))?', access, summary: 'List the designs' },
        args: sentArgsOf(reset),
        answers: library,
        command: (call) => showLibrary(call, settings),
      },
      {
        ...{ method: 'GET', path: 'design/(?P<version>[\\w\\d-]*)/(?P<design>[\\w\\d-]+)', access },
        summary: 'Show a design with its content',
        answers: fullDesign,
        query: (call) => showDesign(call, settings),
      },
      {
        ...{
          method: 'POST',
          path: 'design_library_dev_mode',
          access,
          summary: 'Offer the pages of the site as designs',
        },
        args: sentArgsOf(devmode),
        answers: done,
        command: setDevModeRoute,
      },
      {
        ...{ method: 'POST', path: 'update_block_style', access, summary: 'Save a style of blocks' },
        args: sentArgsOf(...libraryStyleFields),
        answers: done,
        command: updateBlockStyle,
      },
      {
        ...{ method: 'POST', path: 'delete_block_style', access, summary: 'Delete a style of blocks' },
        args: sentArgsOf(...styleNames),
        answers: done,
        command: removeBlockStyle,
      },
    ]),
  additions: ({ clock }) =>
    tableOf(name, [
      {
        ...{ method: 'GET', path: 'shared_designs', access, summary: 'List the designs that are shared' },
        answers: shares,
        query: (call) => listShared(call, clock()),
      },
      {
        ...{ method: 'DELETE', path: 'shared_designs/(?P<hash>[\\da-f]{64})', access: 'editOthers' },
        summary: 'No longer share a design',
        args: { hash: { schema: z.string().describe('Last part of the address.') } },
        answers: withdrawn,
        command: withdrawShared,
      },
    ]),
};
