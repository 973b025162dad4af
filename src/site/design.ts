import type { TemplateType } from '#domain/templates/area.ts';

/** Id of the styles of the site, which are a single item. */
export const stylesId = 1;

export const baseOf: Readonly<Record<TemplateType, string>> = {
  wp_template: 'templates',
  wp_template_part: 'template-parts',
};
