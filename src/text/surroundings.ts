import { Counters } from './counters.ts';
import type { Scope, ServerSide } from './server-blocks.ts';

export interface Surroundings {
  readonly footnotes: string;
  readonly counters: Counters;
  /** Makes what does not follow from the text; absent: such blocks show nothing. */
  readonly server?: ServerSide | undefined;
  readonly scope?: Scope | undefined;
}

export function alone(footnotes = ''): Surroundings {
  return { footnotes, counters: new Counters() };
}
