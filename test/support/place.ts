import { PassThrough, Readable } from 'node:stream';
import type { Outcome } from '#ops/outcome.ts';
import { progressOn, type StartProgress } from '#ops/progress.ts';
import type { LocalVerb, VerbPlace } from '#ops/verb.ts';
import { verbs } from '#ops/verbs.ts';
import { readConfig } from '../../src/config.ts';

export interface PlaceOptions {
  readonly signal?: AbortSignal;
  /** Whether the output is for programs. */
  readonly json?: boolean;
  /** Contents of standard input. */
  readonly input?: string | Buffer;
  /** Receives the progress. Default: lines on standard error. */
  readonly progress?: StartProgress;
  /** Settings besides the directory. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the place in which a command runs on a data directory, without a terminal. */
export function placeOf(dataDir: string, options: PlaceOptions = {}): VerbPlace & { readonly output: PassThrough } {
  const { signal = new AbortController().signal, json = false, input = '', env = {} } = options;
  const { progress = progressOn({ stream: process.stderr, signal }) } = options;
  return {
    config: readConfig({ REBUILD_PRIORITY: 'normal', ...env, DATA_DIR: dataDir }),
    json,
    progress,
    signal,
    input: Readable.from([Buffer.from(input)]),
    output: new PassThrough(),
  };
}

/** Runs a command in this process on a data directory. Returns its outcome and output. */
export async function carryOut(
  dataDir: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: PlaceOptions = {},
): Promise<Outcome & { readonly written: string }> {
  const verb = verbs.find((each): each is LocalVerb => each.name === name && 'here' in each);
  if (verb === undefined) throw new Error(`there is no verb ${name}`);
  const place = placeOf(dataDir, options);
  const written = Array.fromAsync(place.output, (chunk) => String(chunk));
  const outcome = await verb.here(place, args).finally(() => place.output.end());
  return { ...outcome, written: (await written).join('') };
}
