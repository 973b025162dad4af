import type { PluginCall, PluginReader, PluginSession } from 'palimpsest/plugin';
import { noDesign } from './library.ts';
import { builderSalt, makeSalt } from './salt.ts';
import { anyDesign, designSignature, shareOf } from './shared.ts';
import { isShared, shareDesign, sharedDesigns, withdrawDesign } from './shared-area.ts';

/** Signs a text. If it is the id of a design, the address that ends with the signature shows the design for some time. */
export function signed(call: PluginCall<PluginSession>, text: string): string {
  const { model, now } = call;
  if (model.document(builderSalt).salt === '') {
    model.stage(builderSalt, makeSalt(model.document(builderSalt), model.newSecret()));
  }
  const hash = designSignature(text, model);
  if (anyDesign(text, call) !== null) {
    const share = shareOf(hash);
    model.stage(sharedDesigns, shareDesign(model.document(sharedDesigns, share), { share, design: text, now }));
  }
  return hash;
}

export function listShared({ model, now }: PluginCall<PluginReader>) {
  const shared = [...model.documents(sharedDesigns).values()].filter((one) => isShared(one, now));
  return shared.map(({ design, until }) => ({ design, until, link: linkOf(designSignature(design, model), model) }));
}

export function withdrawShared({ model, params }: PluginCall<PluginSession>) {
  const share = shareOf(String(params['hash']));
  const before = model.document(sharedDesigns, share);
  if (before.design === '') return noDesign;
  model.stage(sharedDesigns, withdrawDesign(before, share));
  return { deleted: true };
}

function linkOf(hash: string, model: PluginReader): string {
  return `${model.site().url}/shared-designs/${hash}/`;
}
