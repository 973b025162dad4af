import { z } from 'zod';
import { count, instant } from '../kit/answers.ts';

const design = {
  designId: z.string(),
  label: z.string(),
  description: z.string(),
  category: z.string(),
  image: z.string(),
  plan: z.literal('free'),
  template: z.url(),
};
const named = { slug: z.string(), name: z.string(), data: z.string(), save: z.string() };

export const library = z.object({
  v3: z.record(z.string(), z.object(design)),
  block_styles: z.array(z.object({ block: z.string(), styles: z.array(z.object(named)) })),
  revision: count,
});
export const fullDesign = z.object({ ...design, content: z.string().describe('Block markup') });
export const done = z.literal(true);
export const shares = z.array(z.object({ design: z.string(), until: instant, link: z.url() }));
export const withdrawn = z.object({ deleted: z.literal(true) });
