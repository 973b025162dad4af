const forbidden =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const marked = /[&<>"\t\n\r]/g;
/** Readers of the family give up at ten million bytes in one section; a code unit has at most three. */
const longestSection = 2_600_000;
const mostPlaces = 100;

/** What a file begins with, before what the channel contains; what it ends with. */
export const wxrStart = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
`;
export const wxrEnd = '</channel>\n</rss>\n';

/** Characters that XML forbids, which a text had and the file has not. */
export interface DroppedCharacters {
  count: number;
  /** What had them, such as `item 12`; the first hundred. */
  readonly places: string[];
}

/** Makes parts of an export that are well-formed whatever the texts are. */
export class WxrTexts {
  readonly dropped: DroppedCharacters = { count: 0, places: [] };
  /** What the texts belong to, for `dropped`. */
  place = '';

  /** An element with a text in CDATA. */
  text(name: string, value: string): string {
    return `<${name}>${this.cdata(value)}</${name}>\n`;
  }

  /** An element with a text that readers decode once more, as names of terms. */
  name(name: string, value: string): string {
    return this.text(name, asReferences(value, /[&<>]/g));
  }

  /** An element with a text that is in no CDATA, such as an address or a number. */
  plain(name: string, value: string | number): string {
    return `<${name}>${this.escaped(String(value))}</${name}>\n`;
  }

  /** For attributes, and texts that are in no CDATA. */
  escaped(value: string): string {
    return asReferences(this.#clean(value), marked);
  }

  cdata(value: string): string {
    const text = this.#clean(value);
    const sections: string[] = [];
    for (let at = 0; at < text.length || at === 0; ) {
      let end = Math.min(text.length, at + longestSection);
      if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1;
      sections.push(text.slice(at, end).replaceAll(']]>', ']]]]><![CDATA[>'));
      at = Math.max(end, 1);
    }
    // Where one section ends with a part of the mark, the next one begins behind it, which is no mark.
    return `<![CDATA[${sections.join(']]><![CDATA[')}]]>`;
  }

  #clean(text: string): string {
    let count = 0;
    const clean = text.replace(forbidden, () => {
      count += 1;
      return '';
    });
    if (count === 0) return text;
    this.dropped.count += count;
    const { places } = this.dropped;
    if (places.length < mostPlaces && places.at(-1) !== this.place) places.push(this.place);
    return clean;
  }
}

function asReferences(text: string, which: RegExp): string {
  const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(which, (letter) => named[letter] ?? `&#${letter.charCodeAt(0)};`);
}
