import { z } from 'palimpsest/plugin';

const id = z.int().min(1);
/** UTC, ISO 8601 with milliseconds. */
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const website = z.object({
  data: z.object({
    domain: z.string(),
    token: z.string().regex(/^(\d+\.\d+\.[\da-f]{64})?$/),
    metadata: z.object({
      environment_info: z.object({
        cms_version: z.string(),
        is_multisite: z.literal(false),
        debug: z.literal(false),
        web_server: z.literal('node'),
        runtime_version: z.string(),
      }),
      site_settings: z.object({ website_url: z.url(), site_title: z.string(), site_language: z.string() }),
      plugin_info: z.object({ active_plugins: z.array(z.string()) }),
      theme_info: z.object({ active_theme: z.string() }),
      rest_api_endpoints: z.object({ base_rest_uri: z.url(), base_panel_uri: z.url() }),
      assistant: z.object({
        mcp_choice: z.union([z.literal([0, 1]), z.null()]),
        allow: z.object({ create: z.boolean(), update: z.boolean(), delete: z.boolean() }),
      }),
    }),
  }),
});

const token = {
  id: z.uuid(),
  user: id,
  name: z.string(),
  created: instant,
  until: instant,
  publish: z.boolean().describe('Whether it may publish, and change what is published.'),
  release: z.int().min(1).optional().describe('The release in which what is written with it waits.'),
  last_used: instant.nullable(),
};
export const tokens = z.array(z.object(token));
export const newToken = z.object({ ...token, token: z.string().describe('Shown this once.') });
export const tokenWithdrawn = z.object({ deleted: z.literal(true), previous: z.object(token) });
