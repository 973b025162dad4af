import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { ProfileFields } from '#domain/user/commands.ts';
import type { Model } from '#projections/reading/model.ts';
import { asciiJson } from '#text/json.ts';
import { membersOf } from '#text/shapes.ts';
import { isDateTime } from '../../engine/date-time.ts';
import type { Call } from '../../engine/types.ts';

const NAME = 'meta.persisted_preferences';

/** The preferences that editors store, in stored form; empty if they were not sent. Null clears them. */
export function preferencesIn({ sent }: Call<Model>): Pick<ProfileFields, 'preferences'> | Refusal {
  const meta = sent('meta');
  if (typeof meta !== 'object' || meta === null || !Object.hasOwn(meta, 'persisted_preferences')) return {};
  const { persisted_preferences: value } = meta as Readonly<Record<string, unknown>>;
  if (value === null) return { preferences: '' };
  const members = membersOf(value);
  if (members === null) return invalid('rest_invalid_type', `${NAME} is not of type object.`, NAME);
  const modified = members.find(([name]) => name === '_modified')?.[1] ?? '';
  if (typeof modified !== 'string') {
    return invalid('rest_invalid_type', `${NAME}[_modified] is not of type string.`, `${NAME}[_modified]`);
  }
  if (modified !== '' && !isDateTime(modified)) return invalid('rest_invalid_date', 'Invalid date.', NAME);
  return { preferences: members.length === 0 ? '' : asciiJson(Object.fromEntries(members)) };
}

function invalid(code: string, message: string, param: string): Refusal {
  return { ...refuse(code, message), about: 'input', extra: { additional_data: [{ param }] } };
}
