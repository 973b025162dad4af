import { attributeText } from './folder-markdown.ts';

/** What the tags of a generator in a text are translated with. */
export interface TagPlace {
  readonly generator: string;
  readonly siteTitle: string;
  readonly title: string;
  /** The address of a text that is called by the path or name of its file; null: there is none. */
  readonly named: (name: string) => string | null;
}

/** A tag that has no translation, and stands as it is. */
export interface UntoldTag {
  readonly tag: string;
  readonly index: number;
}

const HUGO = /\{\{[<%](?!\/\*)([^{}]{1,2000})[>%]\}\}/g;
const SHORTCODE = /^\s{0,9}(\/?)([\w/.-]{1,60})/;
const LIQUID =
  /\{%-?\s{0,9}raw\s{0,9}-?%\}([\s\S]*?)\{%-?\s{0,9}endraw\s{0,9}-?%\}|\{%-?\s{0,9}(\w{1,40})([^%{}]{0,2000})%\}|\{\{([^{}]{0,500})\}\}|\{:\s?[.#][^{}\n]{0,500}\}/g;

/** What the tags of a generator in a text mean, where Markdown can say it; the others stand as they are. */
export function replaceTags(body: string, place: TagPlace): { readonly body: string; readonly untold: UntoldTag[] } {
  const untold: UntoldTag[] = [];
  const told = (tag: string, index: number, found: string | null) => {
    if (found === null) untold.push({ tag, index });
    return found ?? tag;
  };
  if (place.generator === 'Hugo') {
    const replaced = body.replace(HUGO, (tag: string, said: string, index: number) => {
      const [begin, closing = '', name = ''] = SHORTCODE.exec(said) ?? [''];
      return told(tag, index, shortcode(closing + name, argumentsOf(said.slice(begin.length)), place));
    });
    return { body: replaced, untold };
  }
  if (place.generator !== 'Jekyll') return { body, untold };
  const replaced = body.replace(
    LIQUID,
    (tag: string, raw: string | undefined, name: string | undefined, said = '', output: string | undefined, index) => {
      if (raw !== undefined) return raw;
      if (name !== undefined) return told(tag, index, liquidTag(name, said.replace(/-?$/, '').trim(), place));
      return told(tag, index, output === undefined ? null : liquidOutput(output.trim(), place));
    },
  );
  return { body: replaced, untold };
}

/** By name, or by number from 0. */
function argumentsOf(said: string): ReadonlyMap<string, string> {
  const words = (said.match(/[^\s"`=]{1,2000}|=|"[^"]{0,2000}"|`[^`]{0,2000}`/g) ?? []).filter((word) => word !== '/');
  const found = new Map<string, string>();
  let unnamed = 0;
  for (let i = 0; i < words.length; i += 1) {
    const isName = words[i + 1] === '=';
    const name = isName ? (words[i] ?? '') : String(unnamed++);
    if (isName) i += 2;
    found.set(name, (words[i] ?? '').replace(/^["`]|["`]$/g, ''));
  }
  return found;
}

function shortcode(name: string, said: ReadonlyMap<string, string>, { named }: TagPlace): string | null {
  const first = (other: string) => said.get(other) ?? said.get('0') ?? '';
  if (name === 'ref' || name === 'relref') return named(first('path'));
  if (name === 'figure') return figure(said);
  if (name === 'youtube') return `\n\nhttps://www.youtube.com/watch?v=${encodeURIComponent(first('id'))}\n\n`;
  if (name === 'vimeo') return `\n\nhttps://vimeo.com/${encodeURIComponent(first('id'))}\n\n`;
  if (name === 'highlight') return `\`\`\`${first('lang')}`;
  return name === '/highlight' ? '```' : null;
}

function figure(said: ReadonlyMap<string, string>): string {
  const text = (name: string) => attributeText(said.get(name) ?? '');
  const words = text('caption') || text('title');
  const caption = words === '' ? '' : `<figcaption class="wp-element-caption">${words}</figcaption>`;
  return `<figure class="wp-block-image"><img src="${text('src')}" alt="${text('alt')}"/>${caption}</figure>`;
}

function liquidTag(name: string, said: string, { named }: TagPlace): string | null {
  if (name === 'post_url' || name === 'link') return named(said);
  if (name === 'highlight') return `\`\`\`${said.split(/\s/)[0]}`;
  return name === 'endhighlight' ? '```' : null;
}

function liquidOutput(said: string, { siteTitle, title }: TagPlace): string | null {
  const [, address] = /^["']([^"']*)["']\s?\|\s?(?:relative|absolute)_url$/.exec(said) ?? [];
  if (address !== undefined) return address;
  if (/^site\.(?:baseurl|url)$/.test(said)) return '';
  if (said === 'site.title') return siteTitle;
  return said === 'page.title' ? title : null;
}
