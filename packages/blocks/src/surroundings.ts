import { Counters } from './counters.ts';
import type { BlockOutline } from './outline.ts';
import type { Scope, ServerSide } from './server-blocks.ts';
import type { ClassRule } from './supports/style-rule.ts';

/** What a text is rendered in. */
export interface Surroundings {
  /** JSON of the footnotes that belong to the text; '' for none. */
  readonly footnotes: string;
  readonly counters: Counters;
  /** Renders what depends on more than the text; absent: such blocks show nothing. */
  readonly server?: ServerSide | undefined;
  readonly scope?: Scope | undefined;
  /** Is told the rules that the classes in the text stand for. */
  readonly rules?: ((rules: readonly ClassRule[]) => void) | undefined;
  /** Of the text itself, not of texts within it. */
  readonly outline?: BlockOutline | undefined;
}

export function alone(footnotes = ''): Surroundings {
  return { footnotes, counters: new Counters() };
}
