/** What the number of runs of each property is multiplied by: 1 but for `npm run properties`. */
export const factor = Number(process.env['PROPERTIES_FACTOR'] ?? 1);
