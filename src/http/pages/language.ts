import type { ShownSite } from '#projections/reading/model.ts';
import { type Item, plainExcerpt, plainTitle } from '#site/items/item.ts';
import { type Html, html, plain } from '#text/html.ts';
import { languageOfMarkup, languageOfText } from '#text/language.ts';

export function siteLanguage({ language }: Pick<ShownSite, 'language'>): string {
  return language === '' ? 'en' : language.replaceAll('_', '-');
}

/** Characters of a content that are examined: all of several megabytes would take seconds. */
const BEGINNING = 65_536;

/** Attributes for the language and direction of an item; null if they are those of the site. */
export function languageOf(item: Item, content: string | null): Html | null {
  const text = `${plainTitle(item)} ${content === null ? plainExcerpt(item) : plain(content.slice(0, BEGINNING))}`;
  const told = (content === null ? null : languageOfMarkup(content)) ?? languageOfText(text);
  if (told === null || (told.lang === null && told.dir === 'ltr')) return null;
  return html`${told.lang === null ? null : html` lang="${told.lang}"`} dir="${told.dir}"`;
}
