/** An object of an answer. */
export type LiveRow = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is LiveRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object; anything else is an empty one. */
export function row(value: unknown): LiveRow {
  return isRow(value) ? value : {};
}

export function rows(value: unknown): readonly LiveRow[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

export function liveText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const MARKS: Readonly<Record<string, string>> = { amp: '&', '#038': '&', lt: '<', gt: '>', quot: '"', '#039': "'" };

/** A plain text that is answered as markup. */
export function livePlain(value: unknown): string {
  return liveText(value).replace(/&(amp|#038|lt|gt|quot|#039);/g, (whole, name: string) => MARKS[name] ?? whole);
}

export function liveNumber(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : 0;
}

export function liveTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : [];
}

/** A text that is answered as written, as shown, or both. */
export function written(value: unknown): string {
  if (!isRow(value)) return liveText(value);
  return typeof value['raw'] === 'string' ? value['raw'] : liveText(value['rendered']);
}
