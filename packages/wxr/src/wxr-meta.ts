import { serialize, unserialize } from 'php-serialize';
import type { SourceFile, SourceMenuItem, SourceMeta, SourceSize } from './records.ts';

/** What meta says of an item that has a field of its own. */
export interface MetaFields {
  readonly template: string;
  readonly featured: number;
  readonly footnotes: string;
  readonly syncStatus: string;
  readonly file: SourceFile | null;
  readonly menuItem: SourceMenuItem | null;
}

interface Attached {
  readonly width: number;
  readonly height: number;
  readonly original: string;
  readonly sizes: readonly SourceSize[];
}

const noFields: Attached = { width: 0, height: 0, original: '', sizes: [] };

/** The fields that the meta of an item of a type gives. `url` is that of an attachment. */
export function fieldsOfMeta(type: string, meta: readonly SourceMeta[], url: string): MetaFields {
  const values = new Map<string, string>();
  for (const { key, value } of meta) if (!values.has(key)) values.set(key, value);
  const of = (key: string) => values.get(key) ?? '';
  const template = of('_wp_page_template');
  return {
    template: template === 'default' ? '' : template,
    featured: idOf(of('_thumbnail_id')),
    footnotes: of('footnotes'),
    syncStatus: type === 'wp_block' ? of('wp_pattern_sync_status') : '',
    file: type === 'attachment' ? fileOf(of, url) : null,
    menuItem: type === 'nav_menu_item' ? menuItemOf(of) : null,
  };
}

/** The meta that says what the fields say. */
export function metaOfFields(fields: MetaFields): SourceMeta[] {
  const { template, featured, footnotes, syncStatus, file, menuItem } = fields;
  const simple = [
    { key: '_wp_page_template', value: template },
    { key: '_thumbnail_id', value: featured > 0 ? String(featured) : '' },
    { key: 'footnotes', value: footnotes },
    { key: 'wp_pattern_sync_status', value: syncStatus },
    { key: '_wp_attached_file', value: file?.path ?? '' },
    { key: '_wp_attachment_metadata', value: file === null ? '' : attachedMeta(file) },
    { key: '_wp_attachment_image_alt', value: file?.altText ?? '' },
  ];
  return [...simple.filter(({ value }) => value !== ''), ...(menuItem === null ? [] : menuMeta(menuItem))];
}

/** The meta that no field says: without what would come back equal from the fields. */
export function metaBesideFields(meta: readonly SourceMeta[], fields: MetaFields): SourceMeta[] {
  const said = new Map(metaOfFields(fields).map(({ key, value }) => [key, value]));
  if (fields.template === '') said.set('_wp_page_template', 'default');
  return meta.filter(({ key, value }) => said.get(key) !== value);
}

/** The meta of fields and the other meta together: where the other one says the same as the fields and more, it alone. */
export function allMeta(type: string, meta: readonly SourceMeta[], fields: MetaFields): SourceMeta[] {
  const said = new Map(
    metaOfFields(fieldsOfMeta(type, meta, fields.file?.url ?? '')).map(({ key, value }) => [key, value]),
  );
  const there = new Set(meta.map(({ key }) => key));
  const missing = metaOfFields(fields).filter(({ key, value }) => !there.has(key) || said.get(key) !== value);
  return [...missing, ...meta];
}

/** A number as ids are written; 0 for anything else. */
export function idOf(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : 0;
}

function fileOf(of: (key: string) => string, url: string): SourceFile {
  const path = of('_wp_attached_file') || pathOf(url);
  return { url, path, type: '', altText: of('_wp_attachment_image_alt'), ...attachedOf(of('_wp_attachment_metadata')) };
}

/** The path below the uploads that an address has; on a network of sites, below those of the site. */
function pathOf(url: string): string {
  const path = /\/(?:uploads|files)\/(?:sites\/\d+\/)?([^?#]+)/.exec(url)?.[1] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function attachedOf(value: string): Attached {
  const data = value === '' ? null : valueOfPhp(value);
  if (data === null || typeof data !== 'object') return noFields;
  const { width, height, original_image: original, sizes } = data as Record<string, unknown>;
  const list = sizes !== null && typeof sizes === 'object' ? Object.entries(sizes) : [];
  return {
    width: lengthOf(width),
    height: lengthOf(height),
    original: typeof original === 'string' ? original : '',
    sizes: list.flatMap(([name, size]) => {
      const { file, width: wide, height: high } = (size ?? {}) as Record<string, unknown>;
      return typeof file === 'string' ? { name, file, width: lengthOf(wide), height: lengthOf(high) } : [];
    }),
  };
}

function attachedMeta({ width, height, path, sizes, original }: SourceFile): string {
  if (width === 0 && height === 0 && sizes.length === 0 && original === '') return '';
  const list = sizes.map((size) => [size.name, { file: size.file, width: size.width, height: size.height }]);
  return serialize({
    width,
    height,
    file: path,
    ...(list.length > 0 && { sizes: Object.fromEntries(list) }),
    ...(original !== '' && { original_image: original }),
  });
}

function menuItemOf(of: (key: string) => string): SourceMenuItem {
  const classes = valueOfPhp(of('_menu_item_classes'));
  const names = classes !== null && typeof classes === 'object' ? Object.values(classes) : [];
  return {
    type: of('_menu_item_type'),
    object: of('_menu_item_object'),
    objectId: idOf(of('_menu_item_object_id')),
    parent: idOf(of('_menu_item_menu_item_parent')),
    url: of('_menu_item_url'),
    target: of('_menu_item_target'),
    classes: names.filter((name): name is string => typeof name === 'string' && name !== ''),
    xfn: of('_menu_item_xfn').split(/\s+/).filter(Boolean),
  };
}

function menuMeta(item: SourceMenuItem): SourceMeta[] {
  return [
    { key: '_menu_item_type', value: item.type },
    { key: '_menu_item_menu_item_parent', value: String(item.parent) },
    { key: '_menu_item_object_id', value: String(item.objectId) },
    { key: '_menu_item_object', value: item.object },
    { key: '_menu_item_target', value: item.target },
    { key: '_menu_item_classes', value: serialize(item.classes.length > 0 ? [...item.classes] : ['']) },
    { key: '_menu_item_xfn', value: item.xfn.join(' ') },
    { key: '_menu_item_url', value: item.url },
  ];
}

/** What a serialised text says; with lengths of texts that are wrong since the text was changed, too. Null: it cannot be read. */
function valueOfPhp(text: string): unknown {
  const read = (one: string): unknown => {
    try {
      return unserialize(one, {}, { strict: false });
    } catch {
      return null;
    }
  };
  if (text === '') return null;
  return (
    read(text) ??
    read(text.replace(/\bs:\d+:"([^"]*)"(?=;)/g, (_, part: string) => `s:${Buffer.byteLength(part)}:"${part}"`))
  );
}

function lengthOf(value: unknown): number {
  const number = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}
