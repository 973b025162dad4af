import type { PluginReaction, PluginReader, PluginSession } from 'palimpsest/plugin';
import { analytics } from './area.ts';
import { recordOnce } from './decide.ts';

/** The area of setup steps, and the steps of its store. */
const onboarding = 'host-onboarding';
const storeSteps = ['setup_store', 'add_product', 'add_payment_method', 'add_shipping_method'];

interface Steps {
  readonly done: readonly { readonly category: string; readonly step: string }[];
}

/** Counts once when the store can sell, and once when it is complete. */
export const countStore: PluginReaction = {
  to: ['StepCompleted'],
  react: () => (model) => {
    const { done } = model.documentOf(onboarding) as Steps;
    const isOpen = (id: string) => !done.some(({ category, step }) => category === 'online_store_setup' && step === id);
    if (!isOpen('add_product') && !isOpen('add_payment_method')) record(model, 'shop.store.ready_to_sell');
    if (!storeSteps.some(isOpen)) record(model, 'shop.store_setup.completed');
  },
};

/** The site data kept with every counted event: address, and path below the host. */
export function siteProperties(model: PluginReader): { readonly siteurl: string; readonly directory: string } {
  const { url } = model.site();
  return { siteurl: url, directory: new URL(url).pathname.replace(/^\/+|(?<!\/)\/+$/g, '') };
}

function record(model: PluginSession, action: string): void {
  const occurrence = { action, properties: siteProperties(model), day: model.local.slice(0, 10) };
  model.stage(analytics, recordOnce(model.document(analytics), occurrence));
}
