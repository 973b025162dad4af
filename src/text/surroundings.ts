import { Numbers } from './numbers.ts';
import type { Scope, ServerSide } from './server-blocks.ts';

/** What a text is rendered in. */
export interface Surroundings {
  /** The meta field with the footnotes as JSON, or ''. */
  readonly footnotes: string;
  readonly numbers: Numbers;
  /** Makes what does not follow from the text; absent: such blocks show nothing. */
  readonly server?: ServerSide | undefined;
  /** What the blocks around the text say. */
  readonly scope?: Scope | undefined;
}

/** Of a text that is shown alone and follows from nothing but itself and its footnotes. */
export function alone(footnotes = ''): Surroundings {
  return { footnotes, numbers: new Numbers() };
}
