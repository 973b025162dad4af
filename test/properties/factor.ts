/** The factor for the number of runs of each property: 1 except in `npm run properties`. */
export const factor = Number(process.env['PROPERTIES_FACTOR'] ?? 1);
