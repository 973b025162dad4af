import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { MediaFacts, MediaFields, StoredFile } from './commands.ts';
import type { MediaEvent } from './events.ts';
import { stemOf, uniqueFileName } from './naming.ts';
import { type PlannedMedia, planMedia } from './plan.ts';
import { type Host, statusOf } from './rights.ts';
import type { Media } from './state.ts';

/** Makes a media item of a file that is stored. */
export function uploadMedia(file: StoredFile, fields: MediaFields, facts: MediaFacts): readonly MediaEvent[] | Refusal {
  const { name: wanted, title, ...stored } = file;
  const folder = folderFor(fields.parent ?? 0, facts);
  const name = uniqueFileName(wanted, (tried) => facts.addressTaken(`${folder}/${tried}`, file.hash));
  const planned = planMedia(null, fields, { facts, title: title ?? stemOf(name) });
  if (isRefusal(planned)) return planned;
  const data = { ...planned, ...stored, folder, name, sizes: [...stored.sizes], missing: [...stored.missing] };
  return [{ type: 'MediaUploaded', data }];
}

/** Saves a media item: what the fields change, or nothing but the time of the save. */
export function changeMedia(media: Media, fields: MediaFields, facts: MediaFacts): readonly MediaEvent[] | Refusal {
  const planned = planMedia(media, fields, { facts, title: '' });
  return isRefusal(planned) ? planned : difference(media, planned);
}

/** Hands a media item over to what was above the entry that it was attached to. It stays as private as it was. */
export function detachMedia(media: Media, host: Host, parent: number): readonly MediaEvent[] {
  if (media.parent === parent) return [];
  const isPrivate = statusOf(media, host) === 'private';
  return [{ type: 'MediaDetached', data: { parent, ...(isPrivate ? { inherited: 'private' } : {}) } }];
}

/** Deletes a media item. */
export function deleteMedia({ id }: Media): readonly MediaEvent[] {
  return [{ type: 'MediaDeleted', data: { id } }];
}

/** Orders that a media item that is deleted, or is by now, is erased. `last`: type of its last event in the log. */
export function eraseMedia(id: number, last: string): readonly MediaEvent[] {
  return last === 'MediaErased' ? [] : [{ type: 'MediaErased', data: { id } }];
}

const settings = [
  ...(['date', 'dateGmt', 'slug', 'author', 'commentStatus', 'pingStatus'] as const),
  ...(['parent', 'featuredMedia'] as const),
];
const textNames = ['title', 'caption', 'description', 'altText'] as const;

function difference(before: Media, after: PlannedMedia): readonly MediaEvent[] {
  const { modified, modifiedGmt } = after;
  const saved = { modified, modifiedGmt };
  const events: MediaEvent[] = [];
  const described = textNames.filter((name) => before[name] !== after[name]);
  if (described.length > 0) {
    const texts = Object.fromEntries(described.map((name) => [name, after[name]]));
    events.push({ type: 'MediaDescribed', data: { ...saved, ...texts } });
  }
  const changed = settings.filter((name) => before[name] !== after[name]);
  if (changed.length > 0 || events.length === 0) {
    const data = { ...saved, ...Object.fromEntries(changed.map((name) => [name, after[name]])) };
    events.push({ type: 'MediaChanged', data });
  }
  return events;
}

/** Files stand beside what they are attached to: by its date, else by the month of the upload. */
function folderFor(parent: number, { now, dateOf }: MediaFacts): string {
  const date = (parent > 0 ? dateOf(parent) : null) ?? now.local;
  return date.slice(0, 7).replace('-', '/');
}
