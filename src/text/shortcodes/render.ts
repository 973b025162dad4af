import type { Surroundings } from '../surroundings.ts';
import { caption } from './caption.ts';
import { type Run, runShortcodes } from './run.ts';

export function renderShortcodes(html: string, { counters, server }: Surroundings): string {
  const run: Run = (shortcode) => {
    if (shortcode.name === 'embed') return '';
    if (shortcode.name !== 'caption' && shortcode.name !== 'wp_caption') return server?.shortcode(shortcode) ?? '';
    return caption(shortcode, counters, (picture) => runShortcodes(picture, run));
  };
  return runShortcodes(html, run);
}
