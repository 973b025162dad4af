const [LOWER, UPPER] = ['a-z\\xdf-\\xf6\\xf8-\\xff', 'A-Z\\xc0-\\xd6\\xd8-\\xde'];
const BREAK = '\\xac\\xb1\\xd7\\xf7\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\u2000-\\u206f\\s';
const OTHER = `[^${BREAK}\\d${LOWER}${UPPER}]`;
const SMALL = `(?:[${LOWER}]|${OTHER})`;
const WORD = new RegExp(
  [
    `[${UPPER}]?[${LOWER}]+(?=[${BREAK}]|[${UPPER}]|$)`,
    `(?:[${UPPER}]|${OTHER})+(?=[${BREAK}]|[${UPPER}]${SMALL}|$)`,
    `[${UPPER}]?${SMALL}+`,
    `[${UPPER}]+`,
    '\\d+',
  ].join('|'),
  'gu',
);

/** A name in lower case, with words and numbers joined by `-`: `Vivid Red` and `vividRed` become `vivid-red`. */
export function kebabCase(name: string): string {
  const words = name.replaceAll("'", '').match(WORD) ?? [];
  return words.join('-').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
