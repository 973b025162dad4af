import { type Document, DomHandler, type DomHandlerOptions } from 'domhandler';
import { Parser, type ParserOptions } from 'htmlparser2';

/** Deeper than any feed or drawing. The parser's time grows with the square of the depth. */
const deepestXml = 1000;
/** Deeper than the markup of any block. */
const deepestHtml = 64;

class TooDeep extends Error {}

class BoundedHandler extends DomHandler {
  readonly #deepest: number;
  #depth = 0;

  constructor(deepest: number, options: DomHandlerOptions = {}) {
    super(undefined, options);
    this.#deepest = deepest;
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    if (this.#depth > this.#deepest) throw new TooDeep();
    super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    this.#depth -= 1;
    super.onclosetag();
  }
}

/** Parses XML, as far as it can be read; null if its elements are nested too deep. */
export function xmlDocument(xml: string): Document | null {
  return parsedBy(new BoundedHandler(deepestXml), xml, { xmlMode: true });
}

/** Parses a fragment of HTML, with the places of its nodes in it; null if its elements are nested too deep. */
export function htmlFragment(html: string): Document | null {
  return parsedBy(new BoundedHandler(deepestHtml, { withStartIndices: true, withEndIndices: true }), html);
}

function parsedBy(handler: BoundedHandler, text: string, options: ParserOptions = {}): Document | null {
  try {
    new Parser(handler, options).end(text);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
  return handler.root;
}
