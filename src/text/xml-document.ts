import { type Document, DomHandler } from 'domhandler';
import { Parser } from 'htmlparser2';

/** Deeper than any feed or drawing. The parser's time grows with the square of the depth. */
const deepest = 1000;

class TooDeep extends Error {}

class BoundedHandler extends DomHandler {
  #depth = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    if (this.#depth > deepest) throw new TooDeep();
    super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    this.#depth -= 1;
    super.onclosetag();
  }
}

/** Parses XML, as far as it can be read; null if its elements are nested too deep. */
export function xmlDocument(xml: string): Document | null {
  const handler = new BoundedHandler();
  try {
    new Parser(handler, { xmlMode: true }).end(xml);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
  return handler.root;
}
