import type { PluginReaction } from 'palimpsest/plugin';
import { cacheCloud } from './cloud/area.ts';
import { expectAlias } from './cloud/decide.ts';
import { cacheImages } from './images/area.ts';
import { forgetImage } from './images/decide.ts';

export const forgetDeleted: PluginReaction = {
  to: ['MediaDeleted'],
  react: ({ events }) => {
    const ids = events.filter(({ type }) => type === 'MediaDeleted').map(({ data }) => Number(data['id']));
    return (model) => {
      for (const id of ids) model.stage(cacheImages, forgetImage(id, model.document(cacheImages, String(id))));
    };
  },
};

export const expectAddress: PluginReaction = {
  to: ['SiteAddressChanged'],
  react: ({ events }) => {
    const moved = events.findLast(({ type }) => type === 'SiteAddressChanged');
    return (model) => model.stage(cacheCloud, expectAlias(String(moved?.data['url'])));
  },
};
