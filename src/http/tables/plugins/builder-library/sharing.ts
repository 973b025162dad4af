import { makeSecret } from '#commands/builder-salt.ts';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { builderSalt, makeSalt } from '#domain/plugins/salt/area.ts';
import { isShared, shareDesign, sharedDesigns, withdrawDesign } from '#domain/plugins/shared-designs/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { anyDesign, designSignature, shareOf } from '#site/builder/shared-designs.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { fresh } from '../kit/envelopes.ts';

/** Signs a text. If it is the id of a design, the address that ends with the signature shows the design for some time. */
export function signed(session: Session, text: string, now: number): string {
  if (session.plugin(builderSalt).salt === '') {
    stageIn(session, builderSalt, makeSalt(session.plugin(builderSalt), makeSecret()));
  }
  const hash = designSignature(text, session);
  if (anyDesign(text, session) !== null) {
    const share = shareOf(hash);
    const events = shareDesign(session.plugin(sharedDesigns, share), { share, design: text, now });
    stageIn(session, sharedDesigns, events);
  }
  return hash;
}

export function listShared({ model }: Call<Model>, now: number): Answer {
  const shared = [...model.plugins(sharedDesigns).values()].filter((one) => isShared(one, now));
  return fresh(
    shared.map(({ design, until }) => ({ design, until, link: linkOf(designSignature(design, model), model) })),
  );
}

export function withdrawShared({ model: session, params }: Call<Session>): Answer | Refusal {
  const share = shareOf(String(params['hash']));
  const before = session.plugin(sharedDesigns, share);
  if (before.design === '') return refuse('builder_design_not_found', 'There is no such design.');
  stageIn(session, sharedDesigns, withdrawDesign(before, share));
  return fresh({ deleted: true });
}

function linkOf(hash: string, model: Model): string {
  return `${model.site().url}/shared-designs/${hash}/`;
}
