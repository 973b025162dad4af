import { flagAt, numberAt, textAt } from '#text/attributes.ts';
import { costOfText } from '#text/cost.ts';
import { wordCount } from '#text/word-count.ts';
import { aligned, wrapped } from '../pieces.ts';
import type { Make } from '../types.ts';

export const postTimeToRead: Make = (block, { post, rendering }) => {
  if (post.row === undefined) return '';
  const { attributes } = block;
  const content = post.isLocked ? '' : post.texts().content;
  const words = rendering.cost.takes(costOfText(content)) ? wordCount(content) : 0;
  const minutes = words / (numberAt(attributes, 'averageReadingSpeed') || 189);
  const text =
    textAt(attributes, 'displayMode') === 'words'
      ? counted(words, 'word')
      : flagAt(attributes, 'displayAsRange') === false
        ? counted(atLeastOne(minutes), 'minute')
        : range(minutes);
  return wrapped('div', block, text, { classes: aligned(attributes) });
};

function range(minutes: number): string {
  const [min, max] = [atLeastOne(minutes * 0.8), atLeastOne(minutes * 1.2)];
  return `${min}–${min === max ? min + 1 : max} minutes`;
}

function atLeastOne(minutes: number): number {
  return Math.max(1, Math.round(minutes));
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
