import { type PluginCall, type PluginReader, type PluginSession, refuse, reply, z } from 'palimpsest/plugin';
import { strictParam } from '../fields.ts';
import { builderSettings } from '../settings.ts';
import { blockStyles } from '../styles-area.ts';
import { designLibrary, resetDesigns, setDevMode } from './area.ts';
import type { Design } from './design.ts';
import { designNamed, designsOf } from './designs.ts';

/** Key of the designs in the library's response, and part of their addresses. */
const version = 'v3';

export const reset = strictParam('reset', z.union([z.string().max(200), z.boolean()]));
export const devmode = strictParam('devmode', z.boolean());

/** All designs; on request the library is reloaded first. */
export function showLibrary(call: PluginCall<PluginSession>) {
  const { model } = call;
  if (isTruthy(reset.of(call))) model.stage(designLibrary, resetDesigns());
  const designs = designsOf(call, offersPages(call));
  return reply({
    [version]: Object.fromEntries(designs.map((design) => [design.designId, shown(design, model)])),
    block_styles: model.document(blockStyles).blocks,
    revision: model.document(designLibrary).revision,
  });
}

export function showDesign(call: PluginCall<PluginReader>) {
  const design = designNamed(String(call.params['design']), call, offersPages(call));
  return design === null ? noDesign : reply({ ...shown(design, call.model), content: design.content });
}

export const noDesign = refuse('builder_design_not_found', 'There is no such design.', undefined, 404);

export function setDevModeRoute(call: PluginCall<PluginSession>) {
  const { model } = call;
  const on = devmode.of(call);
  if (on !== undefined) model.stage(designLibrary, setDevMode(model.document(designLibrary), on));
  return reply(true);
}

function offersPages({ model, settings }: PluginCall<PluginReader>): boolean {
  return settings(builderSettings).designDevMode && model.document(designLibrary).devMode;
}

function shown({ designId, label, description, category, image }: Design, model: PluginReader) {
  const template = `${model.interfaceUrl('builder/v2')}/design/${version}/${designId}`;
  return { designId, label, description, category, image, plan: 'free', template };
}

function isTruthy(value: string | boolean | undefined): boolean {
  return value === true || (typeof value === 'string' && !['', '0', 'false'].includes(value));
}
