import type { EntryKind } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { entryStatuses, writableStatuses } from '#domain/entry/vocabulary.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { contactTemplate } from '#site/contact.ts';
import { slugify } from '#text/slug.ts';
import { idFrom } from '../../engine/call.ts';
import { sentenceList } from '../../engine/faults.ts';
import type { Call, Fault } from '../../engine/types.ts';
import { statusOf } from '../../message/problem.ts';

type Check = (value: unknown, call: Call<Model>) => Fault | null;

const forbidden = { code: 'rest_forbidden_status', message: 'Status is forbidden.' };
const known: ReadonlySet<string> = new Set(entryStatuses);

/** Checks that depend on more than the value (interface behaviour, sections 3, 9 and 16). */
export function checkEntryStatus(value: unknown, call: Call<Model>): Fault | null {
  if (typeof value !== 'string') return wrongTypeOf('status', 'string');
  if ((writableStatuses as readonly string[]).includes(value) || value === current(call)?.status) return null;
  return notInVocabulary('status', writableStatuses);
}

export function checkEntryTemplate(kind: EntryKind): Check {
  return (value, call) => {
    if (value === '' || value === current(call)?.template) return null;
    const templates = kind.themed ? call.model.site().templates : [];
    if (kind.themed && value === contactTemplate) return null;
    if (typeof value === 'string' && templates.includes(value)) return null;
    return {
      code: 'rest_invalid_param',
      message:
        templates.length === 0
          ? 'There are no templates to choose from.'
          : `template is not one of ${sentenceList(templates)}.`,
      data: null,
    };
  };
}

/** Only checks that it is a map; its members are checked after everything else. */
export function checkMeta(value: unknown): Fault | null {
  if (typeof value === 'object' && value !== null) return null;
  return { code: 'rest_invalid_type', message: 'meta is not of type object.', data: null, bare: true };
}

/** Any status but the usual one requires the right to edit entries of the kind or, for `private`, to read private ones. */
export function checkCollectionStatus(kind: EntryKind, known: readonly string[], usual = 'publish'): Check {
  return (value, { viewer }) => {
    for (const status of sentStatuses(value)) {
      if (status === usual) continue;
      const { edit, readPrivate } = kind.rights;
      const allowed = may(viewer, edit) || (status === 'private' && has(viewer, readPrivate));
      if (!allowed) {
        return { code: forbidden.code, message: forbidden.message, data: { status: statusOf(forbidden, viewer) } };
      }
      if (status !== '' && !known.includes(status)) return notInVocabulary('status[0]', known);
    }
    return null;
  };
}

function current(call: Call<Model>): EntryRow | undefined {
  const id = idFrom(call.params['id']);
  return id === 0 ? undefined : call.model.entry(id);
}

/** The refusal of a member of `meta` that is not a text. */
export function noText(place: string): Refusal {
  const refusal = refuse('rest_invalid_type', `${place} is not of type string.`);
  return { ...refusal, about: 'input', extra: { additional_data: [{ param: place }] } };
}

export function wrongTypeOf(param: string, type: string): Fault {
  return { code: 'rest_invalid_type', message: `${param} is not of type ${type}.`, data: { param } };
}

export function notInVocabulary(param: string, values: readonly string[]): Fault {
  return { code: 'rest_not_in_enum', message: `${param} is not one of ${sentenceList(values)}.`, data: null };
}

/** One status or several: lower case, each once. */
export function asStatuses(value: unknown): readonly string[] {
  return sentStatuses(value).filter((status) => status !== '');
}

/** The same with '' for what is no word. */
function sentStatuses(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  // What most requests have.
  if (Array.isArray(value) && value.length === 1 && known.has(value[0])) return value;
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : String(value)
        .split(/[\s,]+/)
        .filter(Boolean);
  return [...new Set(list.map((status) => slugify(String(status))))];
}
