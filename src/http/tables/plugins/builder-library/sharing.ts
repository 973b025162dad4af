import { createHash, createHmac } from 'node:crypto';
import { makeSecret } from '#commands/builder-salt.ts';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { builderSalt, makeSalt } from '#domain/plugins/salt/area.ts';
import { isShared, shareDesign, sharedDesigns, withdrawDesign } from '#domain/plugins/shared-designs/area.ts';
import type { Model } from '#projections/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { fresh } from '../kit/envelopes.ts';
import type { FullDesign } from './design.ts';
import { designNamed } from './designs.ts';

/** Signs a text. If it is the id of a design, the address that ends with the signature shows the design for some time. */
export function signed(session: Session, text: string, now: number): string {
  if (session.plugin(builderSalt).salt === '') {
    stageIn(session, builderSalt, makeSalt(session.plugin(builderSalt), makeSecret()));
  }
  const hash = signatureOf(text, session);
  if (anyDesign(text, session) !== null) {
    const share = shareOf(hash);
    const events = shareDesign(session.plugin(sharedDesigns, share), { share, design: text, now });
    stageIn(session, sharedDesigns, events);
  }
  return hash;
}

/** The design shown at an address; null if there is none. */
export function sharedDesign(hash: string, model: Model, now: number): FullDesign | null {
  const shared = model.plugin(sharedDesigns, shareOf(hash));
  return isShared(shared, now) ? anyDesign(shared.design, model) : null;
}

export function listShared({ model }: Call<Model>, now: number): Answer {
  const shared = [...model.plugins(sharedDesigns).values()].filter((one) => isShared(one, now));
  return fresh(shared.map(({ design, until }) => ({ design, until, link: linkOf(signatureOf(design, model), model) })));
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

function signatureOf(text: string, model: Model): string {
  return createHmac('sha256', model.plugin(builderSalt).salt).update(text).digest('hex');
}

function shareOf(hash: string): string {
  return createHash('sha256').update(hash).digest('hex');
}

function anyDesign(id: string, model: Model): FullDesign | null {
  return designNamed(id, model, id.startsWith('page-'));
}
