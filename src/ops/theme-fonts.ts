import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { FontFile, ThemeSetting } from '#domain/plugins/settings.ts';
import type { ServedFont, ThemeFonts } from '#http/pages/themes/fonts.ts';
import { ConfigError } from '../config.ts';

const signature = 'wOF2';
/** Maximum size of a font in bytes. */
const largest = 5 * 1024 * 1024;

/** Reads the fonts named by settings. Throws for invalid ones. */
export function openThemeFonts(themes: readonly ThemeSetting[]): ThemeFonts {
  return { themes, fonts: new Map(themes.map(({ slug, files }) => [slug, files.map(opened)])) };
}

function opened({ file, ...about }: FontFile): ServedFont {
  const bytes = bytesOf(file);
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.woff2`;
  return { ...about, name, bytes };
}

function bytesOf(file: string): Buffer {
  const fault = (what: string) => new ConfigError(`PLUGIN_SETTINGS: the font ${file} ${what}`);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw fault('is not there');
  if (size > largest) throw fault(`has more than ${largest} bytes`);
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, signature.length) !== signature) throw fault('is no WOFF2 file');
  return bytes;
}
