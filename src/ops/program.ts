/** How to call the program: as a package, or in a checkout, which runs the sources. */
export const program = import.meta.filename.endsWith('.ts') ? 'npm run cli --' : 'palimpsest';
