import { Counters } from './counters.ts';
import type { Scope, ServerSide } from './server-blocks.ts';

/** What a text is rendered in. */
export interface Surroundings {
  /** JSON of the footnotes that belong to the text; '' for none. */
  readonly footnotes: string;
  readonly counters: Counters;
  /** Renders what depends on more than the text; absent: such blocks show nothing. */
  readonly server?: ServerSide | undefined;
  readonly scope?: Scope | undefined;
}

export function alone(footnotes = ''): Surroundings {
  return { footnotes, counters: new Counters() };
}
