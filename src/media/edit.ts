import { croppedArea, type EditStep, turnOf } from '#domain/media/editing.ts';
import { type Decoder, loadDecoder, type Pixels } from './decoder.ts';
import { uprightOf } from './image.ts';

/** Why an image cannot be edited: it is unreadable, or a step of the named type leaves nothing of it. */
export type EditFault = 'unreadable' | EditStep['type'];

export interface EditLimits {
  /** Maximum number of pixels of any intermediate image. */
  readonly pixels: number;
}

export async function editImage(
  path: string,
  { type, steps }: { readonly type: string; readonly steps: readonly EditStep[] },
  limits: EditLimits,
): Promise<Buffer | EditFault> {
  const decoder = await loadDecoder(type);
  const seen = await decoder?.lookAt(path);
  if (!decoder || !seen || seen.width * seen.height > limits.pixels) return 'unreadable';
  let pixels = await decoder.decode(path, uprightOf(seen));
  if (pixels === null) return 'unreadable';
  for (const step of steps) {
    const next: Pixels | null = await take(step, pixels, decoder, limits);
    if (next === null) return step.type;
    pixels = next;
  }
  const { width, height } = pixels.raw;
  return decoder.encode(pixels, { width, height, crops: false });
}

async function take(step: EditStep, pixels: Pixels, decoder: Decoder, limits: EditLimits): Promise<Pixels | null> {
  switch (step.type) {
    case 'crop': {
      const area = croppedArea(pixels.raw, step.args);
      return area && decoder.crop(pixels, area);
    }
    case 'flip':
      return decoder.mirror(pixels, step.args.flip);
    case 'rotate': {
      const degrees = turnOf(step.args.angle);
      return largest(pixels.raw, degrees) > limits.pixels ? null : decoder.turn(pixels, degrees);
    }
  }
}

function largest({ width, height }: Pixels['raw'], degrees: number): number {
  if (degrees % 90 === 0) return width * height;
  const [sin, cos] = [Math.abs(Math.sin((degrees * Math.PI) / 180)), Math.abs(Math.cos((degrees * Math.PI) / 180))];
  return Math.ceil(width * cos + height * sin) * Math.ceil(width * sin + height * cos);
}
