import { SPACE } from './blank.ts';

const CODE = /^<(code|pre|style|script|textarea)/;

const EMOJI: ReadonlyMap<string, string> = new Map(
  (
    ':neutral: 😐 :twisted: 😈 :arrow: ➡ :shock: 😯 :smile: 🙂 :???: 😕 :cool: 😎 :evil: 👿 :grin: 😀 :idea: 💡 ' +
    ':oops: 😳 :razz: 😛 :roll: 🙄 :wink: 😉 :cry: 😥 :eek: 😮 :lol: 😆 :mad: 😡 :sad: 🙁 8-) 😎 8-O 😯 :-( 🙁 :-) 🙂 ' +
    ':-? 😕 :-D 😀 :-P 😛 :-o 😮 :-x 😡 :-| 😐 ;-) 😉 8O 😯 :( 🙁 :) 🙂 :? 😕 :D 😀 :P 😛 :o 😮 :x 😡 :| 😐 ;) 😉 :!: ❗ :?: ❓'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, i, all) => {
      if (i % 2 === 0) pairs.push([word, all[i + 1] ?? '']);
      return pairs;
    }, []),
);

const WORDS = [...EMOJI.keys()].map((word) => word.replace(/[()?|]/g, '\\$&')).join('|');
const SMILEY = new RegExp(`(?<=^|${SPACE})(?:${WORDS})(?=$|${SPACE})`, 'g');

export function smileys(html: string): string {
  if (!/[:;8][^\s/]/.test(html)) return html;
  if (!html.includes('<')) return html.replace(SMILEY, toEmoji);
  let out = '';
  let ignored = '';
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    const end = tag < 0 ? -1 : html.indexOf('>', tag);
    if (end < 0) break;
    const text = html.slice(at, tag);
    out += ignored === '' ? text.replace(SMILEY, toEmoji) : text;
    const whole = html.slice(tag, end + 1);
    if (ignored === '') ignored = CODE.exec(whole)?.[1] ?? '';
    else if (whole === `</${ignored}>`) ignored = '';
    out += whole;
    at = end + 1;
  }
  const rest = html.slice(at);
  return out + (ignored === '' && rest[0] !== '<' ? rest.replace(SMILEY, toEmoji) : rest);
}

function toEmoji(smiley: string): string {
  return EMOJI.get(smiley) ?? smiley;
}
