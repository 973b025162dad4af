import { z } from 'zod';
import { toolNames } from '#domain/plugins/tools/events.ts';
import { dataOf } from '../kit/answers.ts';

const switches = {
  ...Object.fromEntries(toolNames.map((name) => [name, z.boolean()])),
  bypass_code: z.string().regex(/^[A-Za-z]*$/),
};

export const toolSettings = dataOf(z.object(switches));
export const facts = dataOf(
  z.object({
    ...switches,
    newest_cms_version: z.string(),
    current_cms_version: z.string(),
    runtime_version: z.string(),
    newest_runtime_version: z.string(),
    is_eligible_www_redirect: z.boolean(),
  }),
);
