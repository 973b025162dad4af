import { createHash } from 'node:crypto';
import {
  cleanIcon,
  invalidParam,
  type PluginCall,
  type PluginReader,
  type PluginSession,
  refuse,
  reply,
  slugify,
  z,
} from 'palimpsest/plugin';
import { strictParam } from './fields.ts';
import { deleteIcon, iconLibrary, maxDrawn, moveIcon, saveIcon } from './icons-area.ts';

const largest = 64 * 1024;
export const svgType = 'image/svg+xml';
export const shownKey = { schema: z.string().describe('Key of the icon.') };

export const iconName = strictParam('name', z.string().max(200));
export const iconKey = strictParam('key', z.string().max(200));
export const icon = strictParam('icon', z.string());
export const oldIndex = strictParam('oldIndex', z.int());
export const newIndex = strictParam('newIndex', z.int());

export function listIcons({ model }: PluginCall<PluginReader>) {
  return reply(model.document(iconLibrary).icons);
}

/** An icon as an image that pages can use in `<img src>`. */
export function showIcon({ model, params }: PluginCall<PluginReader>) {
  const found = model.document(iconLibrary).icons.find(({ key }) => key === params['key']);
  if (found === undefined) return refuse('builder_icon_not_found', 'There is no such icon.', undefined, 404);
  const headers = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
  return reply(found.icon, { type: svgType, headers });
}

/** Members that are not sent are kept; a new icon needs a drawing. */
export function updateIcon(call: PluginCall<PluginSession>) {
  const { model } = call;
  const library = model.document(iconLibrary);
  const sent = icon.of(call);
  const before = library.icons.find(({ key }) => key === iconKey.of(call));
  const drawing = sent === undefined ? (before?.icon ?? null) : cleaned(sent);
  if (drawing === null) return noIcon;
  const name = iconName.of(call) ?? before?.name ?? '';
  const key = iconKey.of(call) || keyOf(name, drawing);
  const events = saveIcon(library, { key, name, icon: drawing });
  if (events === 'no room') return noRoom;
  model.stage(iconLibrary, events);
  return listIcons(call);
}

export function removeIcon(call: PluginCall<PluginSession>) {
  const { model } = call;
  model.stage(iconLibrary, deleteIcon(model.document(iconLibrary), iconKey.of(call) ?? ''));
  return listIcons(call);
}

export function sortIcon(call: PluginCall<PluginSession>) {
  const { model } = call;
  const [from, to] = [oldIndex.of(call) ?? 0, newIndex.of(call) ?? 0];
  model.stage(iconLibrary, moveIcon(model.document(iconLibrary), from, to));
  return listIcons(call);
}

const noIcon = invalidParam('icon', `icon has to be one SVG element of at most ${largest} bytes.`);
const noRoom = invalidParam('icon', `All icons together may have ${maxDrawn} characters.`);

function cleaned(svg: string): string | null {
  return Buffer.byteLength(svg) > largest ? null : cleanIcon(svg);
}

function keyOf(name: string, drawing: string): string {
  const digest = createHash('sha256').update(drawing).digest('hex').slice(0, 4);
  return `${slugify(name) || 'icon'}-${digest}`;
}
