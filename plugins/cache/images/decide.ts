import { age } from '../cloud/area.ts';
import { isSameForm, type OptimisedImage } from './area.ts';
import type { ImageEvent, ImageForm, ImageItem, OptimisedFile } from './events.ts';

/** Milliseconds after an invalid report in which no report is accepted. */
const pause = 3000;

export function isTooSoon({ rejected }: OptimisedImage, at: string): boolean {
  return rejected !== '' && age(rejected, at) < pause;
}

/** Records reports of an optimiser; those whose digest is already known are skipped. */
export function notifyImages(
  items: readonly ImageItem[],
  { server, known }: { readonly server: string; readonly known: (id: number) => OptimisedImage },
): readonly ImageEvent[] {
  const news = items.filter(({ id, digest }) => known(id).digest !== digest);
  return news.length === 0 ? [] : [{ type: 'ImagesNotified', data: { server, items: news } }];
}

/** Accepts a fetched form; no events if it is no longer expected. */
export function takeForm(site: OptimisedImage, file: OptimisedFile): readonly ImageEvent[] {
  return isWaiting(site, file) ? [{ type: 'ImageOptimised', data: file }] : [];
}

export function refuseForm(site: OptimisedImage, refused: FormRefused): readonly ImageEvent[] {
  return isWaiting(site, refused) ? [{ type: 'ImageFormRefused', data: refused }] : [];
}

interface FormRefused {
  readonly id: number;
  readonly form: ImageForm;
  readonly of?: string;
  readonly reason: string;
}

function isWaiting({ waiting }: OptimisedImage, form: Omit<FormRefused, 'reason'>): boolean {
  return waiting.some((one) => isSameForm(one, form));
}

export function failImages(
  ids: readonly number[],
  { status, known }: { readonly status: number; readonly known: (id: number) => OptimisedImage },
): readonly ImageEvent[] {
  const noted = [...new Set(ids)].filter((id) => known(id).status !== null);
  return noted.length === 0 ? [] : [{ type: 'ImagesFailed', data: { ids: noted, status } }];
}

export function forgetImage(id: number, { status, forms }: OptimisedImage): readonly ImageEvent[] {
  return status === null && forms.length === 0 ? [] : [{ type: 'ImageForgotten', data: { id } }];
}
