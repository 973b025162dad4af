import type { DomainEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Area } from '#domain/plugins/area.ts';
import type { Session } from './session.ts';

/** Stages what was decided about an area of a plugin, unless it was refused. */
export function stageIn<S, E extends DomainEvent>(
  session: Session,
  area: Area<S, E>,
  events: readonly E[] | Refusal,
): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(area.stream, events);
  return null;
}
