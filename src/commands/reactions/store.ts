import { analytics } from '#domain/plugins/analytics/area.ts';
import { recordOnce } from '#domain/plugins/analytics/decide.ts';
import { onboarding } from '#domain/plugins/onboarding/area.ts';
import { openStoreSteps } from '#domain/plugins/onboarding/decide.ts';
import { siteProperties, stageIn } from '../plugins.ts';
import type { Session } from '../session.ts';
import type { AnyReaction } from './types.ts';

export const countStore: AnyReaction = (session, { stream, events }) => {
  if (stream !== onboarding.stream || !events.some(({ type }) => type === 'StepCompleted')) return null;
  return () => {
    const open = openStoreSteps(session.plugin(onboarding));
    const canSell = !open.includes('add_product') && !open.includes('add_payment_method');
    if (canSell) record(session, 'shop.store.ready_to_sell');
    if (open.length === 0) record(session, 'shop.store_setup.completed');
  };
};

function record(session: Session, action: string): void {
  const occurrence = { action, properties: siteProperties(session), day: session.now.local.slice(0, 10) };
  stageIn(session, analytics, recordOnce(session.plugin(analytics), occurrence));
}
