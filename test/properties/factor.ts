const { PROPERTIES_FACTOR, LONG } = process.env;

/** By how much the number of runs of each property is multiplied: fewer in `npm test`, more in `npm run properties`. */
export const factor = Number(PROPERTIES_FACTOR ?? (LONG === undefined ? 0.2 : 1));
