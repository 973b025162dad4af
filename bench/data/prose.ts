import { below, type Random } from './random.ts';
import type { Vocabulary } from './words.ts';

/** Texts of posts, drawn from a vocabulary. */
export interface Prose {
  title(random: Random): string;
  /** About 2 KB: half of them in block markup, half plain paragraphs. */
  content(random: Random): string;
  excerpt(random: Random): string;
}

export function prose(vocabulary: Vocabulary): Prose {
  const words = (random: Random, count: number) => Array.from({ length: count }, () => vocabulary.draw(random));
  const sentence = (random: Random) => punctuate(random, words(random, 6 + below(random, 14)));
  const paragraph = (random: Random) => Array.from({ length: 2 + below(random, 4) }, () => sentence(random)).join(' ');
  const heading = (random: Random) => capital(words(random, 2 + below(random, 4)).join(' '));

  function block(random: Random): string {
    const kind = random();
    if (kind < 0.12) return wrap('heading', `<h2 class="wp-block-heading">${heading(random)}</h2>`);
    if (kind < 0.18) {
      const items = Array.from({ length: 3 }, () => wrap('list-item', `<li>${heading(random)}</li>`)).join('\n\n');
      return wrap('list', `<ul class="wp-block-list">${items}</ul>`);
    }
    if (kind < 0.22) {
      const quoted = wrap('paragraph', `<p>${paragraph(random)}</p>`);
      return wrap('quote', `<blockquote class="wp-block-quote">${quoted}</blockquote>`);
    }
    return wrap('paragraph', `<p>${emphasise(random, paragraph(random))}</p>`);
  }

  return {
    title: (random) => capital(words(random, 3 + below(random, 6)).join(' ')),
    excerpt: sentence,
    content(random) {
      const length = 1000 + below(random, 1800);
      const part = random() < 0.5 ? block : (source: Random) => emphasise(source, paragraph(source));
      const parts: string[] = [];
      for (let size = 0; size < length; size += parts.at(-1)?.length ?? 0) parts.push(part(random));
      return parts.join('\n\n');
    },
  };
}

function punctuate(random: Random, words: string[]): string {
  const comma = below(random, words.length);
  words[comma] += comma === words.length - 1 ? '' : ',';
  const text = capital(words.join(' '));
  const ending = random();
  if (ending < 0.04) return `"${text}."`;
  if (ending < 0.06) return `${text} -- ${words[0]}'s...`;
  if (ending < 0.08) return `“${text}”!`;
  return `${text}.`;
}

function emphasise(random: Random, text: string): string {
  if (random() > 0.3) return text;
  const start = text.indexOf(' ', below(random, text.length));
  const end = text.indexOf(' ', start + 1);
  if (start < 0 || end < 0) return text;
  const inner = text.slice(start + 1, end);
  const markup = random() < 0.5 ? `<em>${inner}</em>` : `<a href="https://example.org/${start}">${inner}</a>`;
  return `${text.slice(0, start + 1)}${markup}${text.slice(end)}`;
}

function wrap(name: string, html: string): string {
  return `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
