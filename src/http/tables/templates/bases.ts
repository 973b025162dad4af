import type { TemplateType } from '#domain/plugins/templates/area.ts';

/** Last segment of the collection's route. */
export const baseOf: Readonly<Record<TemplateType, string>> = {
  wp_template: 'templates',
  wp_template_part: 'template-parts',
};
