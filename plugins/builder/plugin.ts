import { definePlugin } from 'palimpsest/plugin';
import { designLibrary } from './designs/area.ts';
import { builderSalt } from './designs/salt.ts';
import { sharedDesign } from './designs/shared.ts';
import { sharedDesigns } from './designs/shared-area.ts';
import { iconLibrary } from './icons-area.ts';
import { libraryRoutes } from './library-routes.ts';
import { builderRoutes } from './routes.ts';
import { builderSettings } from './settings.ts';
import { blockStyles } from './styles-area.ts';

/** What an editor of pages needs: posts, fields and values for its blocks, icons, styles of blocks, and designs. */
export const plugin = definePlugin({
  name: 'builder',
  listed: { slug: 'builder', name: 'Builder' },
  settings: builderSettings,
  areas: [iconLibrary, blockStyles, designLibrary, builderSalt, sharedDesigns],
  namespaces: [
    { name: 'builder/v3', routes: builderRoutes },
    { name: 'builder/v2', routes: libraryRoutes },
  ],
  hiddenPages: [sharedDesign],
});
