import { readFileSync } from 'node:fs';
import { z } from 'zod';

const description = z.object({ version: z.string() });

export const { version } = description.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);
