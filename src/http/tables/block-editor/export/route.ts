import type { Session } from '#commands/session.ts';
import { refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call, Route } from '../../../engine/types.ts';
import { activeTheme } from '../../themes/theme.ts';
import { themeFiles } from './theme-files.ts';
import { zipOf } from './zip.ts';

const namespace = 'cms-block-editor/v1';
const TYPE = 'application/zip';

/** Exports the theme as an archive (interface behaviour, section 42). */
export function exportRoute(settings: PluginSettings): Route<Model, Session> {
  return {
    namespace,
    pattern: `/${namespace}/export`,
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Download the theme with its templates and styles',
        args: {},
        permission: ({ viewer }) =>
          may(viewer, 'edit_theme_options')
            ? null
            : refuse(
                'rest_cannot_export_templates',
                'Sorry, you are not allowed to export templates and template parts.',
              ),
        query: async ({ model }: Call<Model>): Promise<Answer> => {
          const { slug } = activeTheme(model, settings.themes);
          const headers = { 'Content-Disposition': `attachment; filename="${fileName(slug)}.zip"` };
          return { body: { kind: 'bytes', type: TYPE, bytes: await zipOf(themeFiles(model, settings)) }, headers };
        },
        types: [TYPE],
        depends: () => ['plugins', 'site'],
      },
    ],
  };
}

function fileName(slug: string): string {
  return slug.replace(/[^\w.-]+/g, '-') || 'theme';
}
