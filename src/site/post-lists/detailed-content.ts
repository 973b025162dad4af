import { Counters } from '#blocks/counters.ts';
import { BlockOutline, type OutlinedBlock } from '#blocks/outline.ts';
import type { ClassRule } from '#blocks/supports/style-rule.ts';
import type { Post, Reading } from '../rendering/types.ts';
import { renderingWithLists } from './in-contents.ts';

/** A rendered content with its blocks and the rules that its classes stand for. */
export interface DetailedContent {
  readonly html: string;
  readonly blocks: readonly OutlinedBlock[];
  readonly rules: readonly ClassRule[];
  readonly dependsOn: 'everything' | 'time' | null;
}

/** Numbers in the names of one text. */
const perText = 10_000;

/**
 * Renders the content of a post for those who ask for its blocks or styles. The numbers in its names are its own, so that they are the
 * same in every answer and that no two texts share them.
 */
export function detailedContent(post: Post, reading: Omit<Reading, 'lists' | 'rules'>): DetailedContent {
  const rules: ClassRule[] = [];
  const told = (some: readonly ClassRule[]) => {
    for (const rule of some) rules.push(rule);
  };
  const outline = new BlockOutline(post.texts().content);
  const rendering = renderingWithLists({ ...reading, rules: told }, new Counters(post.id * perText));
  const marked = rendering.content(post, { outline });
  return { ...outline.read(marked), rules, dependsOn: rendering.dependsOn };
}
