/** Attributes of a shortcode: named ones by lower-case name, unnamed ones by their index from 0. */
export type ShortcodeAttributes = ReadonlyMap<string, string>;

const EACH =
  /([\w-]+)\s*=\s*"([^"]*)"(?:\s|$)|([\w-]+)\s*=\s*'([^']*)'(?:\s|$)|([\w-]+)\s*=\s*([^\s'"]+)(?:\s|$)|"([^"]*)"(?:\s|$)|'([^']*)'(?:\s|$)|(\S+)(?:\s|$)/g;
const ODD_SPACE = /[\u00a0\u200b]+/g;
const WHOLE_TAGS = /^[^<]*(?:<[^>]*>[^<]*)*$/;

export function readShortcodeAttributes(said: string): ShortcodeAttributes {
  const attributes = new Map<string, string>();
  let unnamed = 0;
  for (const found of said.replace(ODD_SPACE, ' ').matchAll(EACH)) {
    const [, doubled, inDouble, single, inSingle, bare, inBare, ...plain] = found;
    const name = doubled ?? single ?? bare;
    const value = withoutEscapes(inDouble ?? inSingle ?? inBare ?? plain.find((one) => one !== undefined) ?? '');
    attributes.set(name === undefined ? String(unnamed++) : name.toLowerCase(), isWhole(value) ? value : '');
  }
  return attributes;
}

function withoutEscapes(value: string): string {
  return value.includes('\\') ? value.replace(/\\(.?)/gs, '$1') : value;
}

function isWhole(value: string): boolean {
  return !value.includes('<') || WHOLE_TAGS.test(value);
}
