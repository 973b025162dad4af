import { Counters } from './counters.ts';
import type { Scope, ServerSide } from './server-blocks.ts';

export interface Surroundings {
  readonly footnotes: string;
  readonly counters: Counters;
  /** Renders what depends on more than the text; absent: such blocks show nothing. */
  readonly server?: ServerSide | undefined;
  readonly scope?: Scope | undefined;
}

export function alone(footnotes = ''): Surroundings {
  return { footnotes, counters: new Counters() };
}
