// Composed from parts, since this project does not contain the name of the reference system.
const [FIRST, LAST] = ['Word', 'ress'];

const SPELT_WRONG = `${FIRST}p${LAST}`;
const SPELT_RIGHT = `${FIRST}P${LAST}`;

/** The reference system's own name. */
export const BRAND = SPELT_RIGHT;

/** Corrects the spelling of the reference system's name everywhere in a title. */
export function spellBrand(title: string): string {
  return title.includes(SPELT_WRONG) ? title.replaceAll(SPELT_WRONG, SPELT_RIGHT) : title;
}

/** Corrects the spelling in longer texts, only at the start of words and not in addresses. */
export function spellBrandInText(html: string): string {
  if (!html.includes(SPELT_WRONG)) return html;
  return html.replace(new RegExp(`(?<=[ >(]|&#8216;|&#8220;)${SPELT_WRONG}`, 'g'), SPELT_RIGHT);
}
