import { seeded } from './data/random.ts';
import { dataSet } from './data.ts';
import { untilIdle } from './figures/throughput.ts';
import { kinds, roundOf } from './kinds.ts';
import type { Driver } from './load/driver.ts';
import type { Options } from './options.ts';
import { item } from './queries/paths.ts';
import { makeTraffic } from './queries/traffic.ts';
import { median } from './rounds.ts';
import { scratchCopy } from './scratch.ts';
import { memoryOf } from './servers/process.ts';
import { startProduct } from './servers/product.ts';

/** How a figure grows with the number of posts. */
export interface Growth {
  readonly name: string;
  readonly unit: string;
  /** By size, in the order of the sizes. */
  readonly values: readonly number[];
  /** The figure grows with this power of the size: 0 does not grow, 1 grows as fast. */
  readonly exponent: number;
}

interface Measuring {
  readonly driver: Driver;
  readonly options: Options;
  readonly note: (text: string) => void;
}

const sizes = [1000, 10_000, 100_000, 1_000_000];

/** Measures start, memory and the processor time of requests at sizes up to `posts`. */
export async function growth(measuring: Measuring): Promise<{ sizes: readonly number[]; figures: readonly Growth[] }> {
  const measured = sizes.filter((size) => size <= measuring.options.posts);
  const found: Map<string, { unit: string; values: number[] }> = new Map();
  for (const posts of measured) {
    for (const { name, unit, value } of await figuresAt(posts, measuring)) {
      const figure = found.get(name) ?? { unit, values: [] };
      figure.values.push(value);
      found.set(name, figure);
    }
  }
  const figures = [...found].map(([name, { unit, values }]) => ({
    name,
    unit,
    values,
    exponent: slope(measured, values),
  }));
  return { sizes: measured, figures };
}

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

async function figuresAt(posts: number, { driver, options, note }: Measuring): Promise<readonly Figure[]> {
  const { seed, seconds, rounds } = options;
  const data = await dataSet({ seed, posts, events: 2 * posts }, note);
  const copy = scratchCopy('growth', data.directory);
  const first = item(data.ids[0] ?? 1);
  try {
    note(`starting with ${posts} posts`);
    const settling = await startProduct(copy.directory, first);
    await untilIdle(settling.process);
    await settling.process.stop();
    const product = await startProduct(copy.directory, first);
    try {
      const figures: Figure[] = [{ name: 'start', unit: 'ms', value: product.startedIn }];
      await untilIdle(product.process);
      for (const kind of kinds(data, await makeTraffic(product.port, data, seeded(seed, 20)))) {
        note(kind.name);
        const found: number[] = [];
        for (let round = 0; round <= rounds; round++) {
          const { processor } = await roundOf(kind, product, { driver, seconds, seed: round + 1 });
          // The first round warms up.
          if (round > 0) found.push(processor);
        }
        figures.push({ name: kind.name, unit: 'µs', value: median(found) });
      }
      return [
        ...figures,
        { name: 'memory afterwards', unit: 'MiB', value: memoryOf(product.process.pid) ?? Number.NaN },
      ];
    } finally {
      await product.process.stop();
    }
  } finally {
    copy.remove();
  }
}

/** Slope of the line through the logarithms, by least squares. */
function slope(at: readonly number[], values: readonly number[]): number {
  const points = at.map((size, i) => [Math.log(size), Math.log(values[i] ?? Number.NaN)] as const);
  const mean = (place: 0 | 1) => points.reduce((sum, point) => sum + point[place], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const along = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return along / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

export function growthTable({ sizes: at, figures }: Awaited<ReturnType<typeof growth>>): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const head = ['', ...at.map((size) => size.toLocaleString('en')), 'exponent'];
  const line = ([name = '', ...cells]: readonly string[]) =>
    name.padEnd(width) + cells.map((cell) => cell.padStart(14)).join('');
  const rows = figures.map(({ name, unit, values, exponent }) => [
    name,
    ...values.map((value) => `${Math.round(value)} ${unit}`),
    exponent.toFixed(2),
  ]);
  return [head, ...rows].map(line).join('\n');
}

const chart = { width: 720, height: 420, left: 60, right: 250, top: 20, bottom: 40 };

/** A chart of the figures as multiples of those at the smallest size, both on a logarithmic scale. */
export function growthChart({ sizes: at, figures }: Awaited<ReturnType<typeof growth>>): string {
  const { width, height, left, right, top, bottom } = chart;
  const ratios = figures.map(({ values }) => values.map((value) => value / (values[0] ?? value)));
  const most = Math.max(2, ...ratios.flat());
  const x = (size: number) =>
    left + ((width - left - right) * Math.log(size / (at[0] ?? 1))) / Math.log((at.at(-1) ?? 1) / (at[0] ?? 1));
  const y = (ratio: number) =>
    height - bottom - ((height - top - bottom) * Math.log(Math.max(ratio, 0.5) / 0.5)) / Math.log(most / 0.5);
  const lines = figures.map(({ name, exponent }, i) => {
    const hue = Math.round((360 * i) / figures.length);
    const points = (ratios[i] ?? []).map((ratio, j) => `${x(at[j] ?? 1).toFixed(1)},${y(ratio).toFixed(1)}`).join(' ');
    const label = `<text x="${width - right + 12}" y="${top + 12 + i * 20}" fill="hsl(${hue} 60% 35%)">${name} (${exponent.toFixed(2)})</text>`;
    return `<polyline points="${points}" fill="none" stroke="hsl(${hue} 60% 45%)" stroke-width="2"/>${label}`;
  });
  const marks = [1, 2, 5, 10, 20, 50, 100].filter((ratio) => ratio <= most);
  const grid = marks.map(
    (ratio) =>
      `<path d="M${left} ${y(ratio).toFixed(1)}H${width - right}" stroke="#ccc"/><text x="${left - 8}" y="${(y(ratio) + 4).toFixed(1)}" text-anchor="end">${ratio}×</text>`,
  );
  const ticks = at.map(
    (size) =>
      `<text x="${x(size).toFixed(1)}" y="${height - 14}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="How figures grow with the number of posts"><rect width="100%" height="100%" fill="#fff"/>${grid.join('')}${ticks.join('')}${lines.join('')}</svg>\n`;
}
