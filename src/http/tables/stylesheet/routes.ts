import type { Session } from '#commands/session.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import type { Route } from '../../engine/types.ts';
import { wholeSheet } from '../../pages/content-styles.ts';
import { pastOfItem } from '../entries/permissions.ts';

const type = 'text/css; charset=UTF-8';

/** The styles that all texts of the site share: an addition to the reference system. */
export function stylesheetRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/stylesheet`,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Get the style sheet of blocks, presets and the site, which all contents share',
          types: [type],
          args: {},
          past: pastOfItem,
          permission: () => null,
          depends: () => ['site', 'plugins'],
          query: ({ model }) => ({ body: { kind: 'text', type, text: wholeSheet(model) } }),
        },
      ],
    },
  ];
}
