/** Prepares projections for the site in a directory until it is killed: `node prepare-load.ts <directory>`. */
import { typeVerb } from './verbs.ts';

const [directory = ''] = process.argv.slice(2);
await typeVerb(directory, ['prepare']);
