import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { extensions } from '#domain/extensions/area.ts';
import { themeOf } from '#domain/extensions/catalogue.ts';
import type { FontFile, ThemeSetting } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import { replaceFirst } from '#text/html.ts';
import { namedTag } from '../../message/etag.ts';
import { route } from '../../server/exchange.ts';
import type { PageReply } from '../../server/page-reply.ts';
import { declared, lookOf, plainTokens, type Tokens } from './all.ts';

/** A font of a theme, under a name that identifies its bytes. */
export interface ServedFont extends Omit<FontFile, 'file'> {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ThemeFonts {
  readonly themes: readonly ThemeSetting[];
  /** By the slug of their theme, in the order of the settings. */
  readonly fonts: ReadonlyMap<string, readonly ServedFont[]>;
}

/** Path under which fonts are served. */
export const fontRoot = '/fonts/';

/** Prefix of the addresses of fonts on pages. */
export function fontBase(model: Model): string {
  return `${new URL(model.site().storeUrl).pathname.replace(/(?<!\/)\/+$/, '')}${fontRoot}`;
}

/** Adds the look of the current theme to a page, after the sheet that all themes share. Of its fonts the first is that of texts. */
export function withTheme(body: PageReply['body'], { themes, fonts }: ThemeFonts, model: Model): PageReply['body'] {
  const slug = themeOf(themes, model.plugin(extensions))?.slug;
  const own = fonts.get(slug ?? '') ?? [];
  const [first] = own;
  const look: Partial<Tokens> = lookOf(slug);
  const family = first === undefined ? {} : { font: `"${first.family}", ${look.font ?? plainTokens.font}` };
  const tokens = declared({ ...look, ...family });
  if (tokens === '') return body;
  const base = fontBase(model);
  const faces = own.map(
    ({ family, weight, style, name }) =>
      `@font-face { font-family: "${family}"; font-weight: ${weight}; font-style: ${style}; font-display: swap; src: url("${base}${name}") format("woff2"); }`,
  );
  const sheet = [...faces, `:root { ${tokens}; }`].join('\n');
  return replaceFirst(body, /<\/style>/, (end) => `${end}\n<style>\n${sheet}\n</style>`);
}

/** Serves the fonts of themes; adds a route for each file only, so that no other path is taken from pages. */
export function addFonts(app: FastifyInstance, { fonts }: ThemeFonts): void {
  const files = new Map([...fonts.values()].flat().map(({ name, bytes }) => [name, bytes]));
  const answer = (name: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const tag = `"${name}"`;
    reply.headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: tag,
    });
    const sent = request.headers['if-none-match'];
    const named = sent === undefined ? null : namedTag(sent, tag);
    if (named !== null) reply.code(304).header('ETag', named).send();
    else reply.code(200).type('font/woff2').send(files.get(name));
    request.answered = { route: 'font', actor: 0, position: null, ms: performance.now() - started };
    return reply;
  };
  for (const name of files.keys()) app.route(route(['GET', 'HEAD'], `${fontRoot}${name}`, answer(name)));
}
