import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { invalidParam, type Refusal } from '#domain/kernel/refusal.ts';
import { blockStyles, deleteBlockStyle, maxStyled, saveBlockStyle } from '#domain/plugins/block-styles/area.ts';
import { fault } from '../../../engine/faults.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { strict } from '../kit/field.ts';

const largest = 256 * 1024;

const text = (name: string) =>
  strict(name, z.string(), {
    also: (value) =>
      Buffer.byteLength(String(value)) > largest
        ? fault('invalid_param', `${name} is longer than ${largest} bytes.`)
        : null,
  });

const [block, slug, name, data, save] = [text('block'), text('slug'), text('name'), text('data'), text('save')];
export const libraryStyleFields = [block, slug, name, data, save];
export const styleNames = [block, slug];

export function updateBlockStyle(call: Call<Session>): Answer | Refusal {
  const { model: session } = call;
  const named = nameIn(call);
  if (named === null) return noBlock;
  const style = { ...named, name: name.of(call) ?? '', data: data.of(call) ?? '', save: save.of(call) ?? '' };
  const events = saveBlockStyle(session.plugin(blockStyles), style);
  return events === 'no room' ? noRoom : (stageIn(session, blockStyles, events) ?? rawAnswer(true));
}

export function removeBlockStyle(call: Call<Session>): Answer | Refusal {
  const { model: session } = call;
  const named = nameIn(call);
  if (named === null) return noBlock;
  return stageIn(session, blockStyles, deleteBlockStyle(session.plugin(blockStyles), named)) ?? rawAnswer(true);
}

const noBlock = invalidParam('block', 'block has to name a kind of block.');
const noRoom = invalidParam('data', `All styles together may have ${maxStyled} characters.`);

function nameIn(call: Call<Session>): { readonly block: string; readonly slug: string } | null {
  const kind = block.of(call) ?? '';
  return kind === '' ? null : { block: kind, slug: slug.of(call) || 'default' };
}
