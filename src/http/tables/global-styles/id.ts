/** The styles of the site are one item, with a number of its own. */
export const stylesId = 1;
