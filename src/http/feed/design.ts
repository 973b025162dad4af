import { codec } from '#catalogue/events.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { type TemplateEvent, templates } from '#domain/templates/area.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { stylesId } from '#site/design/global-styles.ts';
import { baseOf } from '#site/design/template-bases.ts';

export interface DesignFact {
  readonly about: 'design';
  readonly resource: string;
  readonly id: number;
  readonly what: 'created' | 'changed' | 'trashed' | 'deleted';
}

/** The fact in an event of a plugin area; undefined for areas that the interface of contents does not expose. */
export function designFact(event: StoredEvent): DesignFact | undefined {
  if (event.stream === siteStyles.stream) return styles;
  return event.stream === templates.stream ? templateFact(codec.decode(event) as TemplateEvent) : undefined;
}

const styles: DesignFact = { about: 'design', resource: 'global-styles', id: stylesId, what: 'changed' };

function templateFact({ type, data }: TemplateEvent): DesignFact | undefined {
  const what = type === 'TemplateSaved' && data.isNew ? 'created' : acts[type];
  return what === null ? undefined : { about: 'design', resource: baseOf[data.type], id: data.number, what };
}

const acts: Readonly<Record<TemplateEvent['type'], DesignFact['what'] | null>> = {
  TemplateSaved: 'changed',
  TemplateAutosaved: null,
  TemplateRevisionDeleted: 'changed',
  TemplateTrashed: 'trashed',
  TemplateDeleted: 'deleted',
};
