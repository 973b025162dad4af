import { Edits } from './edits.ts';
import { OpenTag } from './open-tag.ts';
import { endOfElement, nextTag, type Tag } from './tags.ts';

export class BlockOutput {
  readonly #pieces: (string | OpenTag)[] = [];
  #muted = 0;
  readonly #urgencies: string[] = [];

  get length(): number {
    return this.#pieces.length;
  }

  /** Discards added output until `unmute`. */
  mute(): void {
    this.#muted++;
  }

  unmute(): void {
    this.#muted--;
  }

  get isMuted(): boolean {
    return this.#muted > 0;
  }

  /** Sets a priority on all images added until `endUrgency`; of nested priorities the outermost applies. */
  beginUrgency(priority: string): void {
    this.#urgencies.push(priority);
  }

  endUrgency(): void {
    this.#urgencies.pop();
  }

  add(html: string): void {
    if (this.#muted === 0 && html !== '') this.#pieces.push(html);
  }

  addOpen(html: string, tags: readonly Tag[]): OpenTag[] {
    if (this.#muted > 0) return [];
    const opened: OpenTag[] = [];
    let at = 0;
    for (const tag of tags) {
      this.add(html.slice(at, tag.start));
      const open = new OpenTag(html, tag);
      this.#pieces.push(open);
      opened.push(open);
      at = tag.end;
    }
    this.add(html.slice(at));
    return opened;
  }

  prepare(html: string): string {
    const priority = this.#urgencies[0];
    return priority === undefined || !html.includes('<img') ? html : prioritise(html, priority);
  }

  finish(): string {
    return this.#pieces.join('');
  }
}

function prioritise(html: string, priority: string): string {
  const edits = new Edits(html);
  const text = `fetchpriority="${priority}"`;
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, endOfElement(html, tag))) {
    if (tag.name !== 'img') continue;
    const given = tag.attributes.find(({ name }) => name === 'fetchpriority');
    if (given === undefined) edits.replace(tag.nameEnd, tag.nameEnd, ` ${text}`);
    else edits.replace(given.start, given.end, text);
  }
  return edits.finish();
}
