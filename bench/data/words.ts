import { below, pick, type Random, seeded, zipf } from './random.ts';

/** An invented language: its words in order of frequency, and a way to draw them with that frequency. */
export interface Vocabulary {
  readonly words: readonly string[];
  draw(random: Random): string;
}

const vocabularySize = 40_000;
const onsets = 'b c d f g h k l m n p r s t v w z br ch cl dr fl gr kl pl pr sch sl st tr th'.split(' ');
const vowels = 'a e i o u a e i o u a e i o ai au ei ie oo ou'.split(' ');
const codas = ['', '', '', '', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'st', 'ng'];
const marked: readonly (readonly [string, string])[] = [
  ['a', 'ä'],
  ['e', 'é'],
  ['o', 'ö'],
  ['u', 'ü'],
  ['ss', 'ß'],
  ['l', 'ł'],
  ['n', 'ñ'],
];
const scripts = ['абвгдежзиклмнопрстуфхцчшыэюя', 'αβγδεζηθικλμνξοπρστυφχω', '海山川田中日本語文学校生時間新聞大小東京'];

/** 40,000 different words, of which about one in fifteen is not plain ASCII. */
export function vocabulary(seed: number): Vocabulary {
  const random = seeded(seed, 1);
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    const word = makeWord(random, words.size);
    if (word.length >= 3) words.add(word);
  }
  const list = [...words];
  const rank = zipf(list.length);
  return { words: list, draw: (source) => list[rank(source)] ?? '' };
}

// Frequent words are short, as in any language.
function makeWord(random: Random, rank: number): string {
  if (rank > 500 && random() < 0.02) return foreignWord(random);
  const syllables = rank < 100 ? 1 : rank < 2000 ? 2 : 2 + below(random, 2);
  let word = '';
  for (let i = 0; i < syllables; i++) word += pick(random, onsets) + pick(random, vowels) + pick(random, codas);
  if (rank < 20 || random() > 0.05) return word;
  const [plain, mark] = pick(random, marked);
  return word.replace(plain, mark);
}

function foreignWord(random: Random): string {
  const letters = pick(random, scripts);
  return Array.from({ length: 3 + below(random, 6) }, () => letters[below(random, letters.length)]).join('');
}
