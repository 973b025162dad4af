/** Disk usage in bytes. */
export interface DirectorySizes {
  readonly uploads: number;
  readonly database: number;
}

/** Returns the disk usage as measured now or recently; null if it cannot be measured. */
export type MeasureSizes = () => Promise<DirectorySizes | null>;

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Sizes in the form that clients show. Themes and plugins are parts of the program and have no size of their own. */
export function sizesJson({ uploads, database }: DirectorySizes): Record<string, unknown> {
  const all = { cms: 0, themes: 0, plugins: 0, uploads, database, total: uploads + database };
  const each = Object.entries(all).map(([name, bytes]) => [`${name}_size`, sizeJson(bytes)] as const);
  return { raw: 0, ...Object.fromEntries(each) };
}

function sizeJson(bytes: number): Record<string, unknown> {
  const text = inWords(bytes);
  return { size: text, debug: `${text} (${bytes} bytes)`, ...(bytes === 0 ? {} : { raw: bytes }) };
}

function inWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`;
}
