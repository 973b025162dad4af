/** Id of the styles of the site, which are a single item. */
export const stylesId = 1;
