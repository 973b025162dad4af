import type { RenderShortcode } from '../types.ts';
import { fileLink, playerInside, playing, sourcesOf, written } from './player.ts';

const endings = ['mp3', 'ogg', 'flac', 'm4a', 'wav'];

export const audio: RenderShortcode = ({ attributes }, here) => {
  const number = here.rendering.counters.next('audio');
  const found = sourcesOf(attributes, { endings, kind: 'audio', typeOfPage: () => null }, here);
  if ('link' in found) return fileLink('audio', found.link);
  if (found.sources.length === 0) return '';
  const element = written(
    {
      class: attributes.get('class') ?? 'wp-audio-shortcode',
      id: `audio-${here.post.id}-${number}`,
      ...playing(attributes),
      preload: attributes.get('preload') ?? 'none',
      style: attributes.get('style') ?? 'width: 100%;',
    },
    ['class', 'style'],
  );
  return `<audio ${element} controls="controls">${playerInside(found.sources, number)}</audio>`;
};
