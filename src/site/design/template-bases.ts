import type { TemplateType } from '#domain/templates/area.ts';

export const baseOf: Readonly<Record<TemplateType, string>> = {
  wp_template: 'templates',
  wp_template_part: 'template-parts',
};
