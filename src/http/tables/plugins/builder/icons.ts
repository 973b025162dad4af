import { createHash } from 'node:crypto';
import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { invalidParam, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { deleteIcon, iconLibrary, maxDrawn, moveIcon, saveIcon } from '#domain/plugins/icons/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { slugify } from '#text/slug.ts';
import { cleanIcon } from '#text/svg.ts';
import type { Answer, Arg, Call } from '../../../engine/types.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { strict } from '../kit/field.ts';

const largest = 64 * 1024;
export const svgType = 'image/svg+xml';
export const shownKey: Arg<Model> = { schema: z.string().describe('Key of the icon.') };

export const iconName = strict('name', z.string().max(200));
export const iconKey = strict('key', z.string().max(200));
export const icon = strict('icon', z.string());
export const oldIndex = strict('oldIndex', z.int());
export const newIndex = strict('newIndex', z.int());

export function listIcons({ model }: Call<Model>): Answer {
  return rawAnswer(model.plugin(iconLibrary).icons);
}

/** An icon as an image that pages can use in `<img src>`. */
export function showIcon({ model, params }: Call<Model>): Answer | Refusal {
  const found = model.plugin(iconLibrary).icons.find(({ key }) => key === params['key']);
  if (found === undefined) return refuse('builder_icon_not_found', 'There is no such icon.');
  const headers = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
  return { body: { kind: 'text', type: svgType, text: found.icon }, headers };
}

/** Members that are not sent are kept; a new icon needs a drawing. */
export function updateIcon(call: Call<Session>): Answer | Refusal {
  const { model: session } = call;
  const library = session.plugin(iconLibrary);
  const sent = icon.of(call);
  const before = library.icons.find(({ key }) => key === iconKey.of(call));
  const drawing = sent === undefined ? (before?.icon ?? null) : cleaned(sent);
  if (drawing === null) return noIcon;
  const name = iconName.of(call) ?? before?.name ?? '';
  const key = iconKey.of(call) || keyOf(name, drawing);
  const events = saveIcon(library, { key, name, icon: drawing });
  return events === 'no room' ? noRoom : (stageIn(session, iconLibrary, events) ?? listIcons(call));
}

export function removeIcon(call: Call<Session>): Answer {
  const { model: session } = call;
  stageIn(session, iconLibrary, deleteIcon(session.plugin(iconLibrary), iconKey.of(call) ?? ''));
  return listIcons(call);
}

export function sortIcon(call: Call<Session>): Answer {
  const { model: session } = call;
  const [from, to] = [oldIndex.of(call) ?? 0, newIndex.of(call) ?? 0];
  stageIn(session, iconLibrary, moveIcon(session.plugin(iconLibrary), from, to));
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
