import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { blockStyles } from '#domain/plugins/block-styles/area.ts';
import { designLibrary, resetDesigns, setDevMode } from '#domain/plugins/designs/area.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import { namespaceUrl } from '#site/addresses/interface.ts';
import type { Design } from '#site/builder/design.ts';
import { designNamed, designsOf } from '#site/builder/designs.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { strict } from '../kit/field.ts';

/** Key of the designs in the library's response, and part of their addresses. */
const version = 'v3';

export const reset = strict('reset', z.union([z.string().max(200), z.boolean()]));
export const devmode = strict('devmode', z.boolean());

/** All designs; on request the library is reloaded first. */
export function showLibrary(call: Call<Session>, settings: PluginSettings): Answer {
  const { model: session } = call;
  if (isTruthy(reset.of(call))) stageIn(session, designLibrary, resetDesigns());
  const designs = designsOf(session, offersPages(session, settings));
  return rawAnswer({
    [version]: Object.fromEntries(designs.map((design) => [design.designId, shown(design, session)])),
    block_styles: session.plugin(blockStyles).blocks,
    revision: session.plugin(designLibrary).revision,
  });
}

export function showDesign({ model, params }: Call<Model>, settings: PluginSettings): Answer | Refusal {
  const design = designNamed(String(params['design']), model, offersPages(model, settings));
  if (design === null) return refuse('builder_design_not_found', 'There is no such design.');
  return rawAnswer({ ...shown(design, model), content: design.content });
}

export function setDevModeRoute(call: Call<Session>): Answer {
  const { model: session } = call;
  const on = devmode.of(call);
  if (on !== undefined) stageIn(session, designLibrary, setDevMode(session.plugin(designLibrary), on));
  return rawAnswer(true);
}

function offersPages(model: Model, { designDevMode }: PluginSettings): boolean {
  return designDevMode && model.plugin(designLibrary).devMode;
}

function shown({ designId, label, description, category, image }: Design, model: Model): Record<string, unknown> {
  const template = `${namespaceUrl(model.site(), 'builder/v2')}/design/${version}/${designId}`;
  return { designId, label, description, category, image, plan: 'free', template };
}

function isTruthy(value: string | boolean | undefined): boolean {
  return value === true || (typeof value === 'string' && !['', '0', 'false'].includes(value));
}
