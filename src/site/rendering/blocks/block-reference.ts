import { embedAddresses } from '#blocks/embed-lines.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { OVERRIDES } from '#blocks/pattern-overrides.ts';
import { pattern } from '#domain/entry/kinds.ts';
import { idIn } from '../listing.ts';
import { embedOwn } from '../shortcodes/embed.ts';
import type { Make } from '../types.ts';

/** A pattern in the context of the post; '' unless it is published and has no password, and '' within itself. */
export const blockReference: Make = ({ attributes, scope }, here) => {
  const id = idIn(attributes.get('ref'));
  const { model } = here.rendering;
  const row = id === undefined ? undefined : model.entry(id);
  const mark = `pattern ${id}`;
  if (row === undefined || row.kind !== pattern.name || here.within.has(mark)) return '';
  if (row.status !== 'publish' || row.password !== '') return '';
  const content = model.texts(row.id)?.content ?? '';
  const embedded = embedAddresses(content, (address, sizes) => embedOwn(address, sizes, here));
  const overrides = attributes.get('content');
  const inner: JsonMap = new Map(scope);
  if (overrides instanceof Map) inner.set(OVERRIDES, overrides);
  return here.inside(embedded, { scope: inner, showing: mark });
};
