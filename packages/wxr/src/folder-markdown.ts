import { Marked, type Token, type Tokens } from 'marked';

const marked = new Marked({ gfm: true });

/** Markdown as block markup, in the form in which editors save it. `mapped`: what an address in it becomes. */
export function markdownToBlocks(markdown: string, mapped: (address: string) => string = (same) => same): string {
  const tokens = marked.lexer(markdown);
  mapTokens(tokens, mapped);
  return blocksOf(tokens);
}

/** Markup whose addresses are changed. */
export function mapAddresses(html: string, mapped: (address: string) => string): string {
  return html.replace(
    /(\s(?:src|href|poster)\s?=\s?)(?:"([^"<>]*)"|'([^'<>]*)')/gi,
    (_, before: string, double: string | undefined, single: string | undefined) =>
      `${before}"${attributeText(mapped(unescapeAttribute(double ?? single ?? '')))}"`,
  );
}

/** Markdown within a paragraph as markup. */
export function markdownToInline(markdown: string, mapped: (address: string) => string): string {
  const tokens = marked.Lexer.lexInline(markdown, marked.defaults);
  mapTokens(tokens, mapped);
  return marked.Parser.parseInline(tokens, marked.defaults);
}

function mapTokens(tokens: Token[], mapped: (address: string) => string): void {
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'link' || token.type === 'image') token.href = mapped(token.href);
    if (token.type === 'html') token.raw = token.text = mapAddresses(token.text, mapped);
  });
}

function blocksOf(tokens: readonly Token[]): string {
  const blocks: string[] = [];
  const ends = endsOfBlocks(tokens);
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i] as Token;
    const end = token.type === 'html' && token.raw.startsWith('<!-- wp:') ? ends.get(i) : undefined;
    if (end !== undefined) {
      const raws = tokens.slice(i, end + 1).map(({ raw }) => raw);
      blocks.push(raws.join('').trim());
      i = end;
    } else if (token.type !== 'space' && token.type !== 'def') blocks.push(blockOf(token));
  }
  return blocks.join('\n\n');
}

/** Where blocks end that stand in Markdown as they are, by where they begin. */
function endsOfBlocks(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { raw }] of tokens.entries()) {
    for (const mark of raw.matchAll(BLOCK_MARK)) {
      const depth = depthOf(mark);
      if (depth > 0) open.push(i);
      const begin = depth === 0 ? i : open.at(-1);
      if (depth < 0) open.pop();
      if (depth <= 0 && begin !== undefined) ends.set(begin, i);
    }
  }
  return ends;
}

const BLOCK_MARK = /<!-- (\/?)wp:[a-z0-9/-]+ (?:[^-]|-(?!->))*?(\/?)-->/g;

function depthOf([, closing, alone]: RegExpMatchArray): number {
  if (closing === '/') return -1;
  return alone === '/' ? 0 : 1;
}

/** The blocks of a text that are within no other, and what stands between them, if that is more than empty lines. */
export function outerBlocks(content: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (const mark of content.matchAll(BLOCK_MARK)) {
    if (depth === 0) parts.push(content.slice(from, mark.index));
    if (depth === 0) from = mark.index;
    depth += depthOf(mark);
    if (depth > 0) continue;
    parts.push(content.slice(from, mark.index + mark[0].length));
    from = mark.index + mark[0].length;
    depth = 0;
  }
  return [...parts, content.slice(from)].filter((part) => part.trim() !== '');
}

function blockOf(token: Token): string {
  switch (token.type) {
    case 'paragraph':
      return paragraphBlock(token as Tokens.Paragraph);
    case 'text':
      return block('paragraph', `<p>${inline(token as Tokens.Text)}</p>`);
    case 'heading':
      return headingBlock(token as Tokens.Heading);
    case 'list':
      return isSimple(token as Tokens.List) ? listBlock(token as Tokens.List) : htmlBlock(token);
    case 'blockquote':
      return block('quote', `<blockquote class="wp-block-quote">${blocksOf(token.tokens ?? [])}</blockquote>`);
    case 'code':
      return codeBlock(token as Tokens.Code);
    case 'table':
      return tableBlock(token as Tokens.Table);
    case 'hr':
      return block('separator', '<hr class="wp-block-separator has-alpha-channel-opacity"/>');
    default:
      return token.raw.trim() === '<!--more-->' ? block('more', '<!--more-->') : htmlBlock(token);
  }
}

function block(name: string, html: string, attributes: object = {}): string {
  const given =
    Object.keys(attributes).length > 0 ? `${JSON.stringify(attributes).replaceAll('--', '\\u002d\\u002d')} ` : '';
  return `<!-- wp:${name} ${given}-->\n${html}\n<!-- /wp:${name} -->`;
}

function htmlBlock(token: Token): string {
  return block('html', marked.parser([token]).trim());
}

/** A picture that stands alone is an image, the address of a video that does so is the video; anything else is a paragraph. */
function paragraphBlock(token: Tokens.Paragraph): string {
  const [only, ...others] = token.tokens.filter(({ type, raw }) => type !== 'text' || raw.trim() !== '');
  if (only?.type === 'link' && others.length === 0 && only.raw === only['href']) {
    const [provider] = Object.entries(videos).find(([, address]) => address.test(only.raw)) ?? [];
    if (provider !== undefined) return videoBlock(only.raw, provider);
  }
  if (only?.type !== 'image' || others.length > 0) return block('paragraph', `<p>${inline(token)}</p>`);
  const { href, text, title } = only as Tokens.Image;
  const named = title ? ` title="${attributeText(title)}"` : '';
  const image = `<img src="${attributeText(href)}" alt="${attributeText(text)}"${named}/>`;
  return block('image', `<figure class="wp-block-image">${image}</figure>`);
}

const videos = { youtube: /^https:\/\/(?:www\.)?youtube\.com\/watch\?v=[\w-]+$/, vimeo: /^https:\/\/vimeo\.com\/\d+$/ };

function videoBlock(url: string, provider: string): string {
  const name = `wp-block-embed is-type-video is-provider-${provider} wp-block-embed-${provider}`;
  const html = `<figure class="${name}"><div class="wp-block-embed__wrapper">\n${url}\n</div></figure>`;
  return block('embed', html, { url, type: 'video', providerNameSlug: provider, responsive: true });
}

function headingBlock(token: Tokens.Heading): string {
  const { depth } = token;
  const heading = `<h${depth} class="wp-block-heading">${inline(token)}</h${depth}>`;
  return block('heading', heading, depth === 2 ? {} : { level: depth });
}

function codeBlock({ text, lang = '' }: Tokens.Code): string {
  const name = /^[\w+#.-]+/.exec(lang)?.[0];
  const className = name === undefined ? {} : { className: `language-${name}` };
  // A bracket would begin a shortcode.
  const code = escapeText(text).replaceAll('[', '&#91;');
  const pre = `<pre class="wp-block-code${name === undefined ? '' : ` language-${name}`}"><code>${code}</code></pre>`;
  return block('code', pre, className);
}

/** Whether each item is one text, with lists below it: what items of blocks can be. */
function isSimple({ items }: Tokens.List): boolean {
  return items.every(({ task, tokens }) => {
    const [first, ...below] = tokens.filter(({ type }) => type !== 'space');
    const isText = first === undefined || first.type === 'text' || first.type === 'paragraph';
    return !task && isText && below.every((one) => one.type === 'list' && isSimple(one as Tokens.List));
  });
}

function listBlock({ ordered, start, items }: Tokens.List): string {
  const name = ordered ? 'ol' : 'ul';
  const from = ordered && start !== 1 && start !== '' ? { start } : {};
  const attribute = Object.keys(from).length > 0 ? ` start="${start}"` : '';
  const inner = items.map(({ tokens }) => {
    const [first, ...below] = tokens.filter(({ type }) => type !== 'space');
    const lists = below.map((one) => listBlock(one as Tokens.List)).join('\n\n');
    return block('list-item', `<li>${first ? inline(first as Tokens.Text) : ''}${lists}</li>`);
  });
  const list = `<${name}${attribute} class="wp-block-list">${inner.join('\n\n')}</${name}>`;
  return block('list', list, ordered ? { ordered: true, ...from } : {});
}

function tableBlock({ header, rows }: Tokens.Table): string {
  const cells = (all: readonly Tokens.TableCell[]) => `<tr>${all.map(tableCell).join('')}</tr>`;
  const head = `<thead>${cells(header)}</thead>`;
  const body = rows.length > 0 ? `<tbody>${rows.map(cells).join('')}</tbody>` : '';
  const table = `<table class="has-fixed-layout">${head}${body}</table>`;
  return block('table', `<figure class="wp-block-table">${table}</figure>`);
}

function tableCell(cell: Tokens.TableCell): string {
  const name = cell.header ? 'th' : 'td';
  const align = cell.align ? ` class="has-text-align-${cell.align}" data-align="${cell.align}"` : '';
  return `<${name}${align}>${inline(cell)}</${name}>`;
}

/** Text with marks, in one line as editors keep it. */
function inline({ tokens, text }: { tokens?: Token[]; text?: string }): string {
  if (!tokens) return escapeText(text ?? '');
  return marked.Parser.parseInline(tokens, marked.defaults).trim().replaceAll('\n', ' ');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function attributeText(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

function unescapeAttribute(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
