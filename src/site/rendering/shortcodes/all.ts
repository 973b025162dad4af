import type { ShortcodeName } from '#blocks/shortcode.ts';
import type { RenderShortcode } from '../types.ts';
import { gallery } from './gallery.ts';
import { audio, video } from './player.ts';
import { playlist } from './playlist.ts';

/** Renders shortcodes, by their names; those not listed depend on their text alone. */
export const shortcodeRenderers: Partial<Readonly<Record<ShortcodeName, RenderShortcode>>> = {
  audio,
  gallery,
  playlist,
  video,
};
