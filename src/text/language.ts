export interface TextLanguage {
  /** Language tag; null: cannot be determined. */
  readonly lang: string | null;
  readonly dir: 'ltr' | 'rtl';
}

const LANGUAGES: Readonly<Record<string, string>> = {
  Arab: 'ar',
  Hebr: 'he',
  Thaa: 'dv',
  Grek: 'el',
  Armn: 'hy',
  Geor: 'ka',
  Hang: 'ko',
  Thai: 'th',
  Khmr: 'km',
  Laoo: 'lo',
  Taml: 'ta',
  Telu: 'te',
  Knda: 'kn',
  Mlym: 'ml',
  Sinh: 'si',
  Gujr: 'gu',
  Guru: 'pa',
  Hira: 'ja',
  Hani: 'zh',
  Mymr: 'my',
  Syrc: 'syr',
  Nkoo: 'nqo',
  Adlm: 'ff',
};
const names = [...Object.keys(LANGUAGES), 'Latn', 'Cyrl', 'Deva'];
const patterns = names.map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));
const KANA = /\p{Script=Hiragana}|\p{Script=Katakana}/u;
const FROM_THE_RIGHT: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']);
const FROM_THE_RIGHT_LANGUAGES = /^(?:ar|he|iw|fa|ur|ps|sd|ug|yi|dv|syr|nqo|ckb)(?:-|$)/i;
/** One at a time: a repetition of both would try every way to join comments. */
const BLANK_OR_COMMENT = /\s+|<!--.*?-->/sy;
const WRAPPER = /<(?:div|section|article|main)\b([^<>]*)>/y;
/** Maximum number of letters examined. */
const ENOUGH = 2000;

/** Determines the language by the predominant script; null for a text without letters. */
export function languageOfText(text: string): TextLanguage | null {
  const counts = new Map<string, number>();
  let kana: boolean | undefined;
  let seen = 0;
  for (let at = 0; at < text.length && seen < ENOUGH; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > LAST_SHORT) at++;
    const script = scriptOf(code);
    if (script === '') continue;
    if (script === 'Hani') kana ??= KANA.test(text);
    const counted = script === 'Hani' && kana ? 'Hira' : script;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
    seen++;
  }
  const [script] = [...counts].reduce((max, one) => (one[1] > max[1] ? one : max), ['', 0]);
  if (script === '') return null;
  const dir = FROM_THE_RIGHT.has(script) ? 'rtl' : 'ltr';
  return { lang: script === 'Arab' ? languageInArabic(text) : (LANGUAGES[script] ?? null), dir };
}

/** Last code point that is a single UTF-16 unit. */
const LAST_SHORT = 0xffff;
/** Cache per code point: 0: unknown, 1: no script, otherwise the index of the script plus 2. */
const known = new Uint8Array(LAST_SHORT + 1);

/** Script of a letter; '' if it does not indicate a language. */
function scriptOf(code: number): string {
  const found = known[code] || placeOf(code) + 2;
  if (code <= LAST_SHORT) known[code] = found;
  return names[found - 2] ?? '';
}

function placeOf(code: number): number {
  const letter = String.fromCodePoint(code);
  return patterns.findIndex((pattern) => pattern.test(letter));
}

/** Determines the language from the attributes of the element around a content; null if they are absent. */
export function languageOfMarkup(content: string): TextLanguage | null {
  BLANK_OR_COMMENT.lastIndex = 0;
  let start = 0;
  while (BLANK_OR_COMMENT.test(content)) start = BLANK_OR_COMMENT.lastIndex;
  WRAPPER.lastIndex = start;
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
