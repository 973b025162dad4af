import { parseArgs } from 'node:util';

export const parts = [
  'start',
  'reads',
  'memory',
  'writes',
  'hooks',
  'nodes',
  'rebuild',
  'beside',
  'ops',
  'moves',
  'audit',
  'erase',
  'past',
  'texts',
  'turns',
  'searches',
  'transparency',
] as const;
export type Part = (typeof parts)[number];
/** Measuring the reads includes the memory. */
const usual: readonly Part[] = parts.filter((part) => part !== 'memory');

export interface Options {
  readonly posts: number;
  /** Events in the log for rebuilds and commands; other logs have two per post. */
  readonly events: number;
  readonly seed: number;
  /** Seconds of one round. */
  readonly seconds: number;
  readonly rounds: number;
  readonly only: readonly Part[];
  /** Prints the figures as JSON instead of a table. */
  readonly json: boolean;
  /** Folder of another checkout to compare with; '': none. */
  readonly against: string;
  /** Measures how figures grow with the number of posts. */
  readonly growth: boolean;
  /** File for a chart of the growth; '': none. */
  readonly chart: string;
  /** Minutes of steady writes and reads in which memory is measured; 0: none. */
  readonly soak: number;
  readonly help: boolean;
}

export const usage = `npm run bench -- [options]

  --posts n      posts in the data set (default 100000)
  --events n     events in the log for rebuilds and commands (default 10 per post)
  --seed n       seed of the data (default 1)
  --only part    ${parts.join(', ')}; may be given several times (default: all, memory with the reads)
  --seconds n    length of one round (default 3)
  --rounds n     rounds of each figure, product and limit alternately (default 5)
  --against dir  compares starts, reads, writes and memory with another checkout, in turns, and nothing else
  --growth       measures starts, requests and memory at 1,000, 10,000, 100,000 and 1,000,000 posts, up to --posts, and nothing else
  --chart file   draws the growth as SVG
  --soak n       measures memory during n minutes with 50 writes and 50 reads a second, and nothing else
  --json         the figures as JSON instead of a table
  --help         this text
`;

/** Reads the command line. Throws `TypeError` for wrong arguments. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      posts: text,
      events: text,
      seed: text,
      seconds: text,
      rounds: text,
      only: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      against: text,
      growth: { type: 'boolean' },
      chart: text,
      soak: text,
      help: { type: 'boolean' },
    },
  });
  const posts = number('posts', values.posts, 100_000);
  return {
    posts,
    events: number('events', values.events, posts * 10),
    seed: number('seed', values.seed, 1),
    seconds: number('seconds', values.seconds, 3),
    rounds: number('rounds', values.rounds, 5),
    only: values.only === undefined ? usual : values.only.map(part),
    json: values.json === true,
    against: values.against ?? '',
    growth: values.growth === true,
    chart: values.chart ?? '',
    soak: number('soak', values.soak, 0),
    help: values.help === true,
  };
}

function number(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!(value > 0)) throw new TypeError(`--${name} is not a positive number`);
  return value;
}

function part(name: string): Part {
  const found = parts.find((one) => one === name);
  if (found === undefined) throw new TypeError(`--only takes ${parts.join(', ')}`);
  return found;
}
