import { type ImageCutter, type PluginCall, type PluginReader, type PluginSession, z } from 'palimpsest/plugin';
import { failure, isFields, required, success } from './values.ts';

export const resizeArgs = { image_id: required(z.int().min(1)), custom_size: required(z.looseObject({})) };

export async function cutWanted(call: PluginCall<PluginReader>, images: Pick<ImageCutter, 'cut'>): Promise<void> {
  const wanted = wantedIn(call);
  if (typeof wanted !== 'string') await images.cut(wanted.image, wanted.size);
}

export function resizeImage(call: PluginCall<PluginSession>, images: Pick<ImageCutter, 'address'>) {
  const wanted = wantedIn(call);
  if (typeof wanted === 'string') return failure(wanted);
  const url = images.address(wanted.image, wanted.size);
  return url === null ? failure('The image cannot be resized.') : success({ url, ...wanted.size });
}

/** The image and its new size, which never exceeds that of the image; or why it cannot be resized. */
function wantedIn({ params, mayRead, mediaFiles }: PluginCall<PluginReader>) {
  const size = params['custom_size'];
  const [width, height] = [lengthIn(size, 'width'), lengthIn(size, 'height')];
  if (width === null || height === null) return 'A width and a height are needed, in whole pixels.';
  const id = Number(params['image_id'] ?? 0);
  const image = mayRead(id) ? mediaFiles(id) : undefined;
  if (image === undefined) return 'There is no such image.';
  const { full } = image;
  if (full === null) return 'This is no image that can be resized.';
  return { image: id, size: { width: Math.min(width, full.width), height: Math.min(height, full.height) } };
}

function lengthIn(size: unknown, name: string): number | null {
  const value = isFields(size) && Object.hasOwn(size, name) ? size[name] : undefined;
  const length = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof length === 'number' && Number.isInteger(length) && length > 0 ? length : null;
}
