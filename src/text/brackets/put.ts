import type { Surroundings } from '../surroundings.ts';
import { caption } from './caption.ts';
import { type Run, runWords } from './run.ts';

export function putWords(html: string, { counters, server }: Surroundings): string {
  const run: Run = (word) => {
    if (word.name === 'embed') return '';
    if (word.name !== 'caption' && word.name !== 'wp_caption') return server?.word(word) ?? '';
    return caption(word, counters, (picture) => runWords(picture, run));
  };
  return runWords(html, run);
}
