import { kindOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import { sizeName } from '#domain/media/naming.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { fileUrl, shownFile } from '#site/addresses/items.ts';
import { isPrivate } from '#site/rights.ts';
import type { Plugin } from '../../../plugin/contract.ts';
import { installedPlugins } from '../../../plugin/loaded.ts';
import type { PluginMediaFiles } from '../../../plugin/reader.ts';
import type { PluginCall } from '../../../plugin/routes.ts';
import { productMetaJson } from '../entries/parts.ts';

/** The settings of a plugin: of those that come with the server, members of `PLUGIN_SETTINGS` itself. */
export function settingsFor(plugin: Plugin, settings: PluginSettings): PluginCall<unknown>['settings'] {
  const all = settings as unknown as Readonly<Record<string, unknown>>;
  const own = installedPlugins.includes(plugin) ? all[plugin.name] : all;
  return <S>() => own as S;
}

export function mediaFilesOf(id: number, model: Model): PluginMediaFiles | undefined {
  const row = model.media(id);
  if (row === undefined) return undefined;
  const { type, image, hash, bytes, shown, sizes, folder, name } = row;
  const main = shown ?? (image && { ...image, hash, bytes });
  const all =
    main === null
      ? []
      : [
          { ...main, size: null, file: shownFile(row) },
          ...sizes.map((one) => ({ ...one, size: one.name, file: sizeName(name, one) })),
        ];
  return {
    id,
    type,
    isPrivate: isPrivate(row),
    path: `${folder}/${shownFile(row)}`,
    full: row.shown ?? uprightOf(row),
    files: all.map(({ file, size, width, height, hash: of, bytes: length }) => ({
      name: file,
      size,
      url: fileUrl(row, file, model),
      width,
      height,
      hash: of,
      bytes: length,
    })),
  };
}

function uprightOf({ image }: MediaRow): Dimensions | null {
  if (image === null) return null;
  const { width, height, orientation } = image;
  return orientation < 5 ? { width, height } : { width: height, height: width };
}

/** Custom fields of an entry as `meta` shows them. */
export function metaOf(row: EntryRow): ReadonlyMap<string, unknown> {
  const meta = new Map<string, unknown>([['footnotes', row.footnotes]]);
  if (kindOf(row.kind).part !== productPart) return meta;
  const sold = JSON.parse(`{${productMetaJson(row).slice(1)}}`) as Record<string, unknown>;
  for (const [name, value] of Object.entries(sold)) meta.set(name, value);
  return meta;
}
