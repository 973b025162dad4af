import { PassThrough, Readable } from 'node:stream';
import type { Outcome } from '#ops/perform.ts';
import { progressOn } from '#ops/progress.ts';
import type { LocalVerb, Place } from '#ops/verb.ts';
import { verbs } from '#ops/verbs.ts';
import { readConfig } from '../../src/config.ts';

export interface PlaceOptions {
  readonly signal?: AbortSignal;
  /** Whether a program reads what is printed. */
  readonly json?: boolean;
  /** What comes in on standard input. */
  readonly input?: string | Buffer;
}

/** Carries out a verb in this process on a data directory; answers how it ended and what it wrote. */
export async function carryOut(
  dataDir: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  { signal = new AbortController().signal, json = false, input = '' }: PlaceOptions = {},
): Promise<Outcome & { readonly written: string }> {
  const verb = verbs.find((each): each is LocalVerb => each.name === name && 'here' in each);
  if (verb === undefined) throw new Error(`there is no verb ${name}`);
  const output = new PassThrough();
  const written = Array.fromAsync(output, (chunk) => String(chunk));
  const place: Place = {
    config: readConfig({ DATA_DIR: dataDir }),
    json,
    progress: progressOn({ stream: process.stderr, signal }),
    signal,
    input: Readable.from([Buffer.from(input)]),
    output,
  };
  const outcome = await verb.here(place, args).finally(() => output.end());
  return { ...outcome, written: (await written).join('') };
}
