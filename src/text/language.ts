export interface TextLanguage {
  /** Language tag; null: the text does not tell. */
  readonly lang: string | null;
  readonly dir: 'ltr' | 'rtl';
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ Arab: 'ar', Hebr: 'he', Thaa: 'dv', Grek: 'el', Armn: 'hy', Geor: 'ka', Hang: 'ko', Thai: 'th', Khmr: 'km' },
  ...{ Laoo: 'lo', Taml: 'ta', Telu: 'te', Knda: 'kn', Mlym: 'ml', Sinh: 'si', Gujr: 'gu', Guru: 'pa', Hira: 'ja' },
  ...{ Hani: 'zh', Mymr: 'my', Syrc: 'syr', Nkoo: 'nqo', Adlm: 'ff' },
};
const names = [...Object.keys(LANGUAGES), 'Latn', 'Cyrl', 'Deva'];
const SCRIPT = new RegExp(names.map((name) => `(?<${name}>\\p{Script=${name}})`).join('|'), 'gu');
const FROM_THE_RIGHT: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']);
const FROM_THE_RIGHT_LANGUAGES = /^(?:ar|he|iw|fa|ur|ps|sd|ug|yi|dv|syr|nqo|ckb)(?:-|$)/i;
const WRAPPER = /^(?:\s|<!--.*?-->)*<(?:div|section|article|main)\b([^<>]*)>/s;
/** Letters that are looked at. */
const ENOUGH = 2000;

/** By the letters that most of a text is written in; null for one that has none. */
export function languageOfText(text: string): TextLanguage | null {
  const counts = new Map<string, number>();
  const kana = /\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text);
  let seen = 0;
  for (const { groups = {} } of text.matchAll(SCRIPT)) {
    const script = names.find((name) => groups[name] !== undefined) ?? '';
    const counted = kana && script === 'Hani' ? 'Hira' : script;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
    if (++seen === ENOUGH) break;
  }
  const [script] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0]);
  if (script === '') return null;
  const dir = FROM_THE_RIGHT.has(script) ? 'rtl' : 'ltr';
  return { lang: script === 'Arab' ? languageInArabic(text) : (LANGUAGES[script] ?? null), dir };
}

/** By the attributes of the one element around a content; null without. */
export function languageOfMarkup(content: string): TextLanguage | null {
  const attributes = WRAPPER.exec(content)?.[1] ?? '';
  const lang = /\slang="([a-z]{2,3}(?:-[a-z\d]{2,8}){0,3})"/i.exec(attributes)?.[1] ?? null;
  const named = /\sdir="(ltr|rtl)"/i.exec(attributes)?.[1]?.toLowerCase();
  if (lang === null && named === undefined) return null;
  const usual = lang !== null && FROM_THE_RIGHT_LANGUAGES.test(lang) ? 'rtl' : 'ltr';
  return { lang, dir: named === 'rtl' || named === 'ltr' ? named : usual };
}

function languageInArabic(text: string): string {
  if (/[ٹڈڑںے]/.test(text)) return 'ur';
  return /[پچژگ]/.test(text) ? 'fa' : 'ar';
}
