import {
  type AskedPart,
  type GivenPart,
  nested,
  packed,
  type RenderOutcome,
  type RenderTask,
  unpackedScope,
} from '#text/asking.ts';
import { attributesOf } from '#text/blocks.ts';
import { Counters, type Counts } from '#text/counters.ts';
import { noScope, type ServerSide } from '#text/server-blocks.ts';
import { numberClasses } from '#text/supports/class-names.ts';
import type { Surroundings } from '#text/surroundings.ts';
import { once, resultOf } from '#text/suspended.ts';

interface Long {
  readonly kind: RenderTask['kind'];
  readonly length?: number;
  readonly surroundings: Surroundings & { readonly server: ServerSide };
}

/** Renders a long text in another thread; only the parts that depend on other data are rendered in this one. */
export function renderLong(raw: string, { kind, length, surroundings }: Long): string {
  const { footnotes, counters, server, scope = noScope } = surroundings;
  const [counts, outer] = [counters.counts(), packed(scope)];
  const task = { kind, footnotes, counts, scope: outer, ...(length === undefined ? {} : { length }) };
  const given: GivenPart[] = [];
  for (;;) {
    const result = resultOf('renderAsking', raw, JSON.stringify({ ...task, given }));
    const outcome = once(result, () => JSON.parse(result) as RenderOutcome);
    if ('html' in outcome) {
      counters.set(outcome.counts);
      return outcome.html;
    }
    let before = given.at(-1)?.counts ?? task.counts;
    for (const asked of outcome.asked) {
      given.push(answered(asked, { counters, server, before }));
      before = asked.counts;
    }
  }
}

interface Answering {
  readonly counters: Counters;
  readonly server: ServerSide;
  readonly before: Counts;
}

function answered(asked: AskedPart, { counters, server, before }: Answering): GivenPart {
  counters.advance(before, asked.counts);
  const html = makeAsked(asked, counters, server);
  return { html, counts: counters.counts() };
}

function makeAsked(asked: AskedPart, counters: Counters, server: ServerSide): string | null {
  if ('address' in asked) return server.embed(asked.address, asked.sizes);
  if ('word' in asked) {
    const { word: name, attributes, content } = asked;
    return server.shortcode({ name, attributes: new Map(attributes), content });
  }
  const block = nested(asked.block);
  const name = block.name ?? '';
  const attributes = attributesOf(block);
  // The block's own numbers were assigned in the other thread, where their values were not known.
  const own = new Counters();
  numberClasses(name, attributesOf(block), own);
  counters.advance(own.counts(), {});
  numberClasses(name, attributes, counters);
  return server.block({ name, block, attributes, scope: unpackedScope(asked.scope) });
}
