import { Counters } from './counters.ts';
import type { Scope, ServerSide } from './server-blocks.ts';

/** What a text is rendered in. */
export interface Surroundings {
  /** The meta field with the footnotes as JSON, or ''. */
  readonly footnotes: string;
  /** Those of the answer for which the text is rendered. */
  readonly counters: Counters;
  /** Makes what does not follow from the text; absent: such blocks show nothing. */
  readonly server?: ServerSide | undefined;
  /** What the blocks around the text say. */
  readonly scope?: Scope | undefined;
}

/** Of a text that is shown alone and follows from nothing but itself and its footnotes. */
export function alone(footnotes = ''): Surroundings {
  return { footnotes, counters: new Counters() };
}
