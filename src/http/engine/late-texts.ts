import { asciiJson, type JsonText } from '#text/json.ts';

/** A late text as it is kept in the log, for a replay of the answer. */
export type LateText = Readonly<Record<string, string | number>>;
export type GroupedText = LateText & { readonly group: number };

/** The late texts of an answer that is kept: by the names that stand for them in its body. */
export interface KeptTexts {
  readonly mark: string;
  readonly texts: Readonly<Record<string, LateText>>;
}

/** Texts that are made one after the other, because each continues the numbering of those before. */
export interface LateGroup {
  readonly texts: readonly LateText[];
  /** `model`: the read model of the host. */
  readonly make: (model: unknown) => readonly string[];
}

/** The rest of a name, at the end of a string. */
const NAME = /^(\d+)\.(\d+)(?=")/;

/**
 * Texts in the answer to a write that show other data, such as lists of posts. They are made after the commit, on the read model, so that
 * they show the state that the write has left, and so that no decision waits for them. Until then names stand for them.
 */
export class LateTexts {
  readonly #mark: string;
  readonly #groups: LateGroup[] = [];

  constructor(correlationId: string) {
    this.#mark = `late ${correlationId} `;
  }

  get areNone(): boolean {
    return this.#groups.every(({ texts }) => texts.length === 0);
  }

  /** Adds a group, to which texts may still be added. Returns a function that gives the name of a text by its number. */
  add(group: LateGroup): (text: number) => string {
    const number = this.#groups.push(group) - 1;
    return (text) => `${this.#mark}${number}.${text}`;
  }

  /** What has to be kept for a body. */
  keptOf(body: string): KeptTexts | undefined {
    const names = this.areNone ? [] : this.#namesIn(body);
    if (names.length === 0) return undefined;
    const texts = names.map(({ group, text }) => [`${group}.${text}`, this.#groups[group]?.texts[text] ?? {}] as const);
    return { mark: this.#mark, texts: Object.fromEntries(texts) };
  }

  /** A kept body with names of its own for its late texts. */
  replay(body: string, { mark, texts }: KeptTexts, make: (texts: readonly GroupedText[]) => readonly string[]): string {
    const names = Object.keys(texts);
    const all = Object.entries(texts).map(([name, text]) => ({ ...text, group: Number.parseInt(name, 10) }));
    const nameOf = this.add({ texts: all, make: () => make(all) });
    return replaced(body, mark, ({ group, text }) => JSON.stringify(nameOf(names.indexOf(`${group}.${text}`))));
  }

  /** What the texts of each group are made from. */
  get groups(): readonly (readonly LateText[])[] {
    return this.#groups.map(({ texts }) => texts);
  }

  /** Returns a function that puts the texts, made from `model`, into the JSON of the answer. */
  filler(model: unknown): (json: JsonText) => JsonText {
    const made = new Map<number, readonly string[]>();
    return this.#filler((group) => {
      const texts = made.get(group) ?? this.#groups[group]?.make(model) ?? [];
      made.set(group, texts);
      return texts;
    });
  }

  /** The same with texts that have been made, by groups. */
  fillerWith(made: readonly (readonly string[])[]): (json: JsonText) => JsonText {
    return this.#filler((group) => made[group] ?? []);
  }

  #filler(textsOf: (group: number) => readonly string[]): (json: JsonText) => JsonText {
    return (json) => replaced(json, this.#mark, ({ group, text }) => asciiJson(textsOf(group)[text] ?? ''));
  }

  #namesIn(body: string): readonly TextName[] {
    const names: TextName[] = [];
    replaced(body, this.#mark, (name) => {
      names.push(name);
      return '';
    });
    return names;
  }
}

interface TextName {
  readonly group: number;
  readonly text: number;
}

/** Replaces the names in a JSON text by the strings they stand for. A name may follow other text, but ends its string. */
function replaced(body: JsonText, mark: string, stringOf: (name: TextName) => JsonText): JsonText {
  const begin = JSON.stringify(mark).slice(1, -1);
  const [before = '', ...rest] = body.split(begin);
  const named = rest.map((text) => {
    const [name, group, number] = NAME.exec(text) ?? [];
    if (name === undefined) return begin + text;
    return stringOf({ group: Number(group), text: Number(number) }).slice(1, -1) + text.slice(name.length);
  });
  return [before, ...named].join('');
}
