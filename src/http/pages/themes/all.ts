import { extensions } from '#domain/plugins/extensions/area.ts';
import { aiTheme } from '#domain/plugins/extensions/catalogue.ts';
import type { Model } from '#projections/model.ts';
import { plain, type Tokens } from './tokens.ts';

/** Built-in themes by slug; an operator offers them by the setting `themes`. Others look like the first. */
const themes: ReadonlyMap<string, Tokens> = new Map([
  ['plain', plain],
  ['wide', { ...plain, width: '60rem' }],
  ['book', { ...plain, font: 'Charter, "Bitstream Charter", Georgia, serif', width: '38rem', space: '2rem' }],
  [aiTheme.slug, { ...plain, font: 'Lora, Georgia, serif', width: '46rem', space: '2rem' }],
]);

export function tokensOf(model: Model): Tokens {
  const { theme } = model.plugin(extensions);
  return themes.get(theme ?? '') ?? plain;
}
