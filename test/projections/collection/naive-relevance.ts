import type { CollectionQuery, EntryTexts } from '#projections/kernel/collection-query.ts';
import { foldText, searchTerms } from '#text/fold.ts';

/** Place of an entry among the groups of relevance, 0 for the most relevant. */
export function naiveGroup(texts: EntryTexts, { search }: CollectionQuery): number {
  const text = (search?.text ?? '').replace(/\s+/g, ' ').trim();
  if (search === undefined || search.exact || text === '') return 0;
  const words = searchTerms(text).include.map(foldText);
  const title = foldText(texts.title);
  const inTitle = words.filter((word) => title.includes(word)).length;
  const sentence = text.startsWith('-') || text.includes(' -') ? null : foldText(text);
  const isOne = !/[ ,+]/.test(text.replace(/^"[^"]*"$/, '').replace(/^[,+ ]+|[,+ ]+$/g, ''));
  if (isOne) return words.length === 0 || inTitle === words.length ? 0 : 1;
  if (sentence !== null && title.includes(sentence)) return 1;
  if (words.length > 0 && words.length < 7 && inTitle === words.length) return 2;
  if (words.length < 7 && inTitle > 0) return 3;
  if (sentence !== null && foldText(texts.excerpt).includes(sentence)) return 4;
  if (sentence !== null && foldText(texts.content).includes(sentence)) return 5;
  return 6;
}
