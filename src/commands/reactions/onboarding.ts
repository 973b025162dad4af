import type { EntryEvent } from '#domain/entry/events.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { isImageType } from '#domain/media/types.ts';
import { onboarding } from '#domain/plugins/onboarding/area.ts';
import { completeStep } from '#domain/plugins/onboarding/decide.ts';
import { type StepPlace, store } from '#domain/plugins/onboarding/steps.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { site } from '#projections/site/definition.ts';
import { stageIn } from '../plugins.ts';
import type { Session } from '../session.ts';
import type { AnyReaction, Staged } from './types.ts';

const website = 'website_setup';

const firsts: Readonly<Record<string, StepPlace>> = {
  page: { category: website, step: 'add_page' },
  post: { category: website, step: 'add_post' },
  product: { category: store, step: 'add_product' },
};

export const completeSteps: AnyReaction = (session, staged) => {
  const steps = staged.events.flatMap((event) => stepOf(session, staged, event) ?? []);
  if (steps.length === 0) return null;
  return () => {
    for (const step of steps) {
      stageIn(session, onboarding, completeStep(session.plugin(onboarding), step, 'content'));
    }
  };
};

function stepOf(session: Session, staged: Staged, event: DomainEvent): StepPlace | null {
  const known = event as EntryEvent | MediaEvent | SiteEvent;
  switch (known.type) {
    case 'EntryCreated':
      return known.data.status === 'publish' ? (firsts[known.data.kind] ?? null) : null;
    case 'EntryPublished':
    case 'EntryReleased':
      return firsts[kindOf(session, staged)] ?? null;
    case 'EntryRevised':
    case 'EntryReverted':
      return revisesPost(session, staged, known.data) ? { category: website, step: 'edit_description' } : null;
    case 'MediaUploaded':
      return isImageType(known.data.type) ? { category: website, step: 'image_upload' } : null;
    case 'SiteConfigured':
    case 'SiteSettingsChanged': {
      const before = session.of(site).get();
      const renamed = before !== null && known.data.name !== undefined && before.name !== known.data.name;
      return renamed ? { category: website, step: 'edit_site_title' } : null;
    }
    default:
      return null;
  }
}

function kindOf(session: Session, { stream, events }: Staged): string {
  const [created] = (events as readonly EntryEvent[]).flatMap((one) => (one.type === 'EntryCreated' ? one : []));
  return created?.data.kind ?? session.entry(idOf(stream))?.kind ?? '';
}

function revisesPost(session: Session, { stream }: Staged, { content }: { readonly content?: string }): boolean {
  if (content === undefined) return false;
  const id = idOf(stream);
  const row = session.entry(id);
  return row?.kind === 'post' && row.status === 'publish' && session.texts(id)?.content !== content;
}

function idOf(stream: string): number {
  return Number(stream.slice('entry-'.length));
}
