import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { Session } from '#commands/session.ts';
import { refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { type TemplateType, templateTypes } from '#domain/templates/area.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { isRecord } from '#text/shapes.ts';
import type { Answer, Call, Route } from '../../engine/types.ts';
import { baseStyles } from '../global-styles/fields.ts';
import { templatesOf } from '../templates/find.ts';
import { activeTheme } from '../themes/theme.ts';

interface ArchivedFile {
  /** Path with slashes. */
  readonly name: string;
  readonly text: string;
}

const namespace = 'cms-block-editor/v1';
const TYPE = 'application/zip';
const folders: Readonly<Record<TemplateType, string>> = { wp_template: 'templates', wp_template_part: 'parts' };

/** The earliest date in the format, in the zone of the machine as the format has it: the same files always give the same bytes. */
const mtime = new Date(1980, 0, 1);

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

function themeFiles(model: Model, { themes, versions }: PluginSettings): readonly ArchivedFile[] {
  const theme = activeTheme(model, themes);
  const { settings = {}, styles = {} } = model.plugin(siteStyles);
  const merged = {
    version: 3,
    settings: mergedWith(baseStyles.settings, settings),
    styles: mergedWith(baseStyles.styles, styles),
  };
  const templates = templateTypes.flatMap((type) =>
    templatesOf(type, theme, model).map(({ slug, content }) => ({
      name: `${folders[type]}/${slug}.html`,
      text: content,
    })),
  );
  return [
    { name: 'style.css', text: `/*\nTheme Name: ${theme.name}\nVersion: ${versions.cms}\n*/\n` },
    { name: 'theme.json', text: `${JSON.stringify(merged, null, '\t')}\n` },
    ...templates,
  ];
}

function mergedWith(base: unknown, set: unknown): unknown {
  if (!isRecord(base) || !isRecord(set)) return set;
  const names = [...new Set([...Object.keys(base), ...Object.keys(set)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in set ? (name in base ? mergedWith(base[name], set[name]) : set[name]) : base[name],
    ]),
  );
}

function zipOf(files: readonly ArchivedFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, text } of files) zip.addBuffer(Buffer.from(text), name, { mtime, forceDosTimestamp: true });
  zip.end();
  return buffer(zip.outputStream);
}
