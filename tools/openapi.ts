import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeInterface } from './docs.ts';

// Writes the OpenAPI document of a new site to a file: `node tools/openapi.ts dist/openapi.json`.
const [path = 'dist/openapi.json'] = process.argv.slice(2);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(await describeInterface(), null, 1)}\n`);
