import { invalidParam, type PluginCall, type PluginSession, reply, z } from 'palimpsest/plugin';
import { strictParam } from './fields.ts';
import { blockStyles, deleteBlockStyle, maxStyled, saveBlockStyle } from './styles-area.ts';

const largest = 256 * 1024;

const text = (name: string) =>
  strictParam(name, z.string(), {
    also: (value) => (Buffer.byteLength(String(value)) > largest ? `${name} is longer than ${largest} bytes.` : null),
  });

const [block, slug, name, data, save] = [text('block'), text('slug'), text('name'), text('data'), text('save')];
export const libraryStyleFields = [block, slug, name, data, save];
export const styleNames = [block, slug];

export function updateBlockStyle(call: PluginCall<PluginSession>) {
  const { model } = call;
  const named = nameIn(call);
  if (named === null) return noBlock;
  const style = { ...named, name: name.of(call) ?? '', data: data.of(call) ?? '', save: save.of(call) ?? '' };
  const events = saveBlockStyle(model.document(blockStyles), style);
  if (events === 'no room') return noRoom;
  model.stage(blockStyles, events);
  return reply(true);
}

export function removeBlockStyle(call: PluginCall<PluginSession>) {
  const { model } = call;
  const named = nameIn(call);
  if (named === null) return noBlock;
  model.stage(blockStyles, deleteBlockStyle(model.document(blockStyles), named));
  return reply(true);
}

const noBlock = invalidParam('block', 'block has to name a kind of block.');
const noRoom = invalidParam('data', `All styles together may have ${maxStyled} characters.`);

function nameIn(call: PluginCall<PluginSession>): { readonly block: string; readonly slug: string } | null {
  const kind = block.of(call) ?? '';
  return kind === '' ? null : { block: kind, slug: slug.of(call) || 'default' };
}
