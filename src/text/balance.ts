import { Edits } from './edits.ts';

/** Void elements. */
const SINGLE = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);
/** Elements that may be nested directly in one of the same name. */
const NESTABLE = new Set('article aside blockquote details div figure object q section span'.split(' '));

const TAG = /<(\/?)([a-z][a-z0-9._]*-[a-z0-9._-]+|[\w:]+)(?:\s*(\/?)|(\s+)([^>]*))>/y;

export function balanceTags(html: string): string {
  if (!html.includes('<')) return html;
  const text = html.replaceAll('< !--', '<    !--').replace(/<(?=\d)/g, '&lt;');
  const edits = new Edits(text);
  const open = new OpenElements();
  const last = text.lastIndexOf('>');
  for (let at = text.indexOf('<'); at >= 0 && at < last; at = text.indexOf('<', at)) {
    TAG.lastIndex = at;
    const found = TAG.exec(text);
    if (found === null) {
      at += 1;
      continue;
    }
    const end = at + found[0].length;
    const tag = found[1] === '/' ? closed(found[2] ?? '', open) : opened(found, open);
    if (tag !== found[0]) edits.replace(at, end, tag);
    at = end;
  }
  const balanced = edits.finish() + open.closeAll();
  return balanced.replaceAll('< !--', '<!--').replaceAll('<    !--', '< !--');
}

class OpenElements {
  readonly #names: string[] = [];
  readonly #counts = new Map<string, number>();

  get innermost(): string | undefined {
    return this.#names.at(-1);
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  push(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Closes the innermost element and returns its end tag. */
  close(): string {
    const name = this.#names.pop() ?? '';
    this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1);
    return `</${name}>`;
  }

  closeAll(): string {
    let tags = '';
    while (this.#names.length > 0) tags += this.close();
    return tags;
  }
}

function closed(written: string, open: OpenElements): string {
  const name = written.toLowerCase();
  if (!open.has(name)) return '';
  let tags = '';
  while (open.innermost !== name) tags += open.close();
  return tags + open.close();
}

function opened([, , written = '', slash = '', space = '', rest = '']: RegExpExecArray, open: OpenElements): string {
  const name = written.toLowerCase();
  const attributes = (rest === '' ? slash : rest).trim();
  const isSingle = SINGLE.has(name);
  if (attributes.endsWith('/')) {
    if (isSingle) return `<${name} ${attributes}>`;
    return `<${name}${space}${attributes.slice(0, -1).trim()}></${name}>`;
  }
  if (isSingle) return `<${name} ${attributes}/>`;
  const before = open.innermost === name && !NESTABLE.has(name) ? open.close() : '';
  open.push(name);
  return `${before}<${name}${space}${attributes}>`;
}
