import type { PluginReaction, PluginReader, StagedEvents } from 'palimpsest/plugin';
import { onboarding } from './area.ts';
import { type StepPlace, store } from './catalogue.ts';
import { completeStep } from './decide.ts';

const website = 'website_setup';

const firsts: Readonly<Record<string, StepPlace>> = {
  page: { category: website, step: 'add_page' },
  post: { category: website, step: 'add_post' },
  product: { category: store, step: 'add_product' },
};

type StagedEvent = StagedEvents['events'][number];
type StepOf = (event: StagedEvent, staged: StagedEvents, before: PluginReader) => StepPlace | null;

const publishes: StepOf = (_, staged, before) => firsts[kindOf(staged, before)] ?? null;
const revises: StepOf = ({ data }, staged, before) =>
  revisesPost(staged, before, data['content']) ? { category: website, step: 'edit_description' } : null;
const renames: StepOf = ({ data }, _, before) => {
  const { isConfigured, name } = before.site();
  const isRenamed = data['name'] !== undefined && data['name'] !== name && isConfigured;
  return isRenamed ? { category: website, step: 'edit_site_title' } : null;
};

const steps: Readonly<Record<string, StepOf>> = {
  EntryCreated: ({ data }) => (data['status'] === 'publish' ? (firsts[String(data['kind'])] ?? null) : null),
  EntryPublished: publishes,
  EntryReleased: publishes,
  EntryRevised: revises,
  EntryReverted: revises,
  MediaUploaded: ({ data }) =>
    String(data['type']).startsWith('image/') ? { category: website, step: 'image_upload' } : null,
  SiteConfigured: renames,
  SiteSettingsChanged: renames,
};

/** Completes the steps that a change of the site shows to be done. */
export const completeSteps: PluginReaction = {
  to: Object.keys(steps),
  react(staged, before) {
    const done = staged.events.flatMap((event) => steps[event.type]?.(event, staged, before) ?? []);
    if (done.length === 0) return null;
    return (model) => {
      for (const step of done) model.stage(onboarding, completeStep(model.document(onboarding), step, 'content'));
    };
  },
};

function kindOf({ stream, events }: StagedEvents, before: PluginReader): string {
  const created = events.find(({ type }) => type === 'EntryCreated');
  return String(created?.data['kind'] ?? before.entry(idOf(stream))?.kind ?? '');
}

function revisesPost({ stream }: StagedEvents, before: PluginReader, content: unknown): boolean {
  if (content === undefined) return false;
  const id = idOf(stream);
  const entry = before.entry(id);
  return entry?.kind === 'post' && entry.status === 'publish' && before.texts(id)?.content !== content;
}

function idOf(stream: string): number {
  return Number(stream.slice('entry-'.length));
}
