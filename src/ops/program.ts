/** How the program is called: as a package, or in a checkout, where it runs from its sources. */
export const program = import.meta.filename.endsWith('.ts') ? 'npm run cli --' : 'palimpsest';
