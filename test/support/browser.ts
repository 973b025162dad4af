import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of the system's browser, or the value of `CHROMIUM`; undefined without one, which is printed. */
export const chromiumPath: string | undefined = process.env['CHROMIUM'] || found();

function found(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const path = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file));
  if (path === undefined) console.warn('SKIPPED: there is no Chromium on this machine; name one with CHROMIUM=…');
  return path;
}
