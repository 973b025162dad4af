import { encodeAttribute } from './references.ts';
import { attributeOf, type Tag } from './tags.ts';

/** Changes to a tag: attributes to set (`true`: without a value), and classes to add and to remove. */
export interface TagChange {
  readonly set?: Readonly<Record<string, string | true>>;
  readonly classes?: readonly string[];
  readonly without?: string;
  readonly after?: string;
}

/** A start tag in rendered markup that can still change. New attributes are put first; existing ones change in place. */
export class OpenTag {
  readonly #html: string;
  readonly #tag: Tag;
  readonly #values = new Map<string, string | true>();
  #front: string[] = [];
  #classes: Set<string> | null = null;
  #added: string[] = [];
  #after = '';

  constructor(html: string, tag: Tag) {
    this.#html = html;
    this.#tag = tag;
  }

  /** The value of an attribute: `true` if it has none, null if the attribute is absent. */
  get(name: string): string | true | null {
    if (name === 'class') this.#joinClasses();
    return this.#values.get(name) ?? attributeOf(this.#tag, name);
  }

  change({ set = {}, classes = [], without, after = '' }: TagChange): void {
    const fresh: [string, string][] = [];
    const addFresh = (name: string, value: string | true): void => {
      if (this.#has(name)) return;
      fresh.push([name, value === true ? name : `${name}=`]);
    };
    for (const [name, value] of Object.entries(set)) {
      addFresh(name, value);
      this.#values.set(name, value);
    }
    const wanted = classes.filter((name) => name !== '' && !this.#known().has(name));
    if (wanted.length > 0) addFresh('class', '');
    for (const name of wanted) this.#addClass(name);
    if (without !== undefined) this.#dropClass(without);
    this.#after += after;
    if (fresh.length === 0) return;
    fresh.sort(([, one], [, other]) => (one < other ? -1 : 1));
    this.#front = [...fresh.map(([name]) => name), ...this.#front];
  }

  toString(): string {
    this.#joinClasses();
    if (this.#values.size === 0) return this.#html.slice(this.#tag.start, this.#tag.end) + this.#after;
    let out = this.#html.slice(this.#tag.start, this.#tag.nameEnd);
    for (const name of this.#front) out += ` ${this.#written(name)}`;
    let at = this.#tag.nameEnd;
    const changed = new Map(this.#values);
    for (const { name, start, end } of this.#tag.attributes) {
      if (!changed.delete(name)) continue;
      out += this.#html.slice(at, start) + this.#written(name);
      at = end;
    }
    return out + this.#html.slice(at, this.#tag.end) + this.#after;
  }

  #has(name: string): boolean {
    return this.#values.has(name) || attributeOf(this.#tag, name) !== null;
  }

  #known(): Set<string> {
    this.#classes ??= new Set(classesIn(this.#className()));
    return this.#classes;
  }

  #className(): string {
    const given = this.#values.get('class') ?? attributeOf(this.#tag, 'class');
    return typeof given === 'string' ? given : '';
  }

  #addClass(name: string): void {
    if (!this.#values.has('class')) this.#values.set('class', this.#className());
    this.#known().add(name);
    this.#added.push(name);
  }

  #dropClass(name: string): void {
    if (!this.#known().delete(name)) return;
    this.#joinClasses();
    const kept = classesIn(this.#className()).filter((one) => one !== name);
    this.#values.set('class', kept.join(' '));
  }

  #joinClasses(): void {
    if (this.#added.length === 0) return;
    const given = withoutEnd(this.#className());
    this.#values.set('class', [...(given === '' ? [] : [given]), ...this.#added].join(' '));
    this.#added = [];
  }

  #written(name: string): string {
    const value = this.#values.get(name) ?? '';
    return value === true ? name : `${name}="${encodeAttribute(value)}"`;
  }
}

function classesIn(text: string): string[] {
  return text.split(/[ \t\f\r\n]+/).filter((name) => name !== '');
}

/** An unanchored pattern would scan long runs of blanks repeatedly. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\f\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
