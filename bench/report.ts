/** The target of a figure. `ratio`: at least this share of the limit; `times`: at most this multiple of it; the others compare the product's own value. */
export type Target =
  | { readonly ratio: number }
  | { readonly times: number }
  | { readonly atLeast: number }
  | { readonly atMost: number };

/** One figure beside its limit, both measured in the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: 'req/s' | 'events/s' | 'items/s' | 's' | 'ms' | 'MiB' | '%';
  readonly product: number;
  readonly limit: number;
  readonly target: Target | null;
  readonly note?: string;
  /** Parts of the figure; included in JSON only. */
  readonly details?: Readonly<Record<string, number>>;
}

export interface Judged extends Figure {
  /** Share of the limit. */
  readonly share: number;
  /** Null without a target. */
  readonly met: boolean | null;
}

export function judge(figure: Figure): Judged {
  return { ...figure, share: figure.product / figure.limit, met: isMet(figure) };
}

/** Formats the figures as a table. */
export function table(figures: readonly Judged[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${amount(figure.product)} ${figure.unit}`,
    `${amount(figure.limit)} ${figure.unit}`,
    ratioText(figure),
    figure.target === null ? '' : targetText(figure.target, figure.unit),
    figure.met === null ? '' : figure.met ? 'yes' : 'NO',
    figure.note ?? '',
  ]);
  const all = [['figure', 'product', 'limit', 'ratio', 'target', 'met', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

function isMet({ target, product, limit }: Figure): boolean | null {
  if (target === null) return null;
  if ('ratio' in target) return product / limit >= target.ratio;
  if ('times' in target) return product / limit <= target.times;
  return 'atLeast' in target ? product >= target.atLeast : product <= target.atMost;
}

// Where smaller is better, the ratio is a multiple of the limit.
function ratioText({ unit, share }: Judged): string {
  return unit.endsWith('/s') ? `${Math.round(share * 100)} %` : `${share.toFixed(1)} ×`;
}

function targetText(target: Target, unit: string): string {
  if ('ratio' in target) return `≥ ${Math.round(target.ratio * 100)} %`;
  if ('times' in target) return `≤ ${target.times.toFixed(1)} ×`;
  return 'atLeast' in target ? `≥ ${amount(target.atLeast)} ${unit}` : `≤ ${amount(target.atMost)} ${unit}`;
}

function amount(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
}

// Names and notes to the left, numbers to the right.
function pad(cell: string, width: number, column: number): string {
  return column === 0 || column > 4 ? cell.padEnd(width) : cell.padStart(width);
}
