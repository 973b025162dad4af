import { Marked, type Token, type Tokens } from 'marked';

const marked = new Marked({ gfm: true });

/** Markdown as block markup, in the form in which editors save it. `mapped`: what an address in it becomes. */
export function markdownToBlocks(markdown: string, mapped: (address: string) => string = (same) => same): string {
  const tokens = marked.lexer(markdown);
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'link' || token.type === 'image') token.href = mapped(token.href);
    if (token.type === 'html') token.raw = token.text = mapAddresses(token.text, mapped);
  });
  return blocksOf(tokens);
}

/** Markup whose addresses are changed. */
export function mapAddresses(html: string, mapped: (address: string) => string): string {
  return html.replace(
    /(\s(?:src|href|poster)\s?=\s?)(?:"([^"<>]*)"|'([^'<>]*)')/gi,
    (_, before: string, double: string | undefined, single: string | undefined) =>
      `${before}"${escapeAttribute(mapped(unescapeAttribute(double ?? single ?? '')))}"`,
  );
}

/** What the tags of a generator in a text mean, where Markdown can say it; the others stand as they are. */
export function replaceTemplateTags(body: string, generator: string): string {
  if (generator === 'Hugo') return hugoTags(body);
  return generator === 'Jekyll' ? jekyllTags(body) : body;
}

function hugoTags(body: string): string {
  return body
    .replace(/\{\{[<%]\s?(?:rel)?ref\s"([^"{}]*)"\s?[>%]\}\}/g, '$1')
    .replace(/\{\{[<%]\s?figure\s([^{}<>]*)[>%]\}\}/g, (_, said: string) => figure(said));
}

function figure(said: string): string {
  const found = new Map(
    [...said.matchAll(/(?<!\w)(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, escapeAttribute(value)]),
  );
  const image = `<img src="${found.get('src') ?? ''}" alt="${found.get('alt') ?? ''}"/>`;
  const words = found.get('caption') ?? found.get('title');
  const caption = words === undefined ? '' : `<figcaption class="wp-element-caption">${words}</figcaption>`;
  return `<figure class="wp-block-image">${image}${caption}</figure>`;
}

function jekyllTags(body: string): string {
  return body
    .replace(/\{\{\s?site\.(?:baseurl|url)\s?\}\}/g, '')
    .replace(/\{\{\s?["']([^"'{}]*)["']\s?\|\s?(?:relative|absolute)_url\s?\}\}/g, '$1')
    .replace(/\{%-?\s?highlight\s(\w+)(?:\s[^%{}]*)?%\}/g, '```$1')
    .replace(/\{%-?\s?endhighlight\s?-?%\}/g, '```');
}

function blocksOf(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type !== 'space' && type !== 'def')
    .map((token) => blockOf(token))
    .join('\n\n');
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

/** A picture that stands alone is an image; anything else is a paragraph. */
function paragraphBlock(token: Tokens.Paragraph): string {
  const [only, ...others] = token.tokens.filter(({ type, raw }) => type !== 'text' || raw.trim() !== '');
  if (only?.type !== 'image' || others.length > 0) return block('paragraph', `<p>${inline(token)}</p>`);
  const { href, text, title } = only as Tokens.Image;
  const named = title ? ` title="${escapeAttribute(title)}"` : '';
  const image = `<img src="${escapeAttribute(href)}" alt="${escapeAttribute(text)}"${named}/>`;
  return block('image', `<figure class="wp-block-image">${image}</figure>`);
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

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

function unescapeAttribute(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
