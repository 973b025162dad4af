import { age } from '../cache-cloud/area.ts';
import type { OptimisedImage } from './area.ts';
import type { ImageEvent, ImageItem } from './events.ts';

/** Milliseconds after a report that made no sense in which none is taken. */
const pause = 3000;

/** Whether a report made no sense a moment ago. */
export function isTooSoon({ rejected }: OptimisedImage, at: string): boolean {
  return rejected !== '' && age(rejected, at) < pause;
}

/** Takes note of what an optimiser did; of what it said before in the same words nothing is left to do. */
export function notifyImages(
  items: readonly ImageItem[],
  { server, known }: { readonly server: string; readonly known: (id: number) => OptimisedImage },
): readonly ImageEvent[] {
  const news = items.filter(({ id, digest }) => known(id).digest !== digest);
  return news.length === 0 ? [] : [{ type: 'ImagesNotified', data: { server, items: news } }];
}

/** Forgets what is known of images that an optimiser could do nothing with. */
export function failImages(
  ids: readonly number[],
  { status, known }: { readonly status: number; readonly known: (id: number) => OptimisedImage },
): readonly ImageEvent[] {
  const noted = [...new Set(ids)].filter((id) => known(id).status !== null);
  return noted.length === 0 ? [] : [{ type: 'ImagesFailed', data: { ids: noted, status } }];
}

/** Forgets what is known of an image that is no more. */
export function forgetImage(id: number, { status }: OptimisedImage): readonly ImageEvent[] {
  return status === null ? [] : [{ type: 'ImageForgotten', data: { id } }];
}
