import type { LogReader } from '#eventstore/sqlite/log-reader.ts';
import { summaryOf } from '#projections/audit/event-summaries.ts';
import { AuditNames } from '#projections/audit/names.ts';
import type { Check } from './check.ts';

/** The findings with what each is about, as far as a damaged log can still be read: `post 693 “Vellum”, Texts changed`. */
export function withSubjects(checks: readonly Check[], log: Pick<LogReader, 'salted'>): readonly Check[] {
  const names = new AuditNames({ read: (query = {}) => log.salted(query) });
  return checks.map((check) => ({
    ...check,
    found: check.found.map((one) => {
      const about = one.position === null ? null : subjectAt(one.position, log, names);
      return about === null ? one : { ...one, about };
    }),
  }));
}

function subjectAt(position: number, log: Pick<LogReader, 'salted'>, names: AuditNames): string | null {
  let said: string | null = null;
  try {
    const [event] = [...log.salted({ from: position, to: position, sealed: 'none' })];
    if (event?.position !== position) return null;
    said = `${event.stream}, ${event.type}`;
    const { kind, id, title } = names.thing(event.stream);
    const name = [kind, id ?? '', title === '' ? '' : `“${title}”`].filter((part) => part !== '').join(' ');
    return `${name}, ${summaryOf(event.type).label}`;
  } catch {
    // The title may be what is damaged.
    return said;
  }
}
