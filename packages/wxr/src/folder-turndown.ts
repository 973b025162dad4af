import TurndownService from 'turndown';

/** What is used of a node of a document. */
interface MarkupNode {
  readonly nodeName: string;
  readonly className: string;
  readonly textContent: string;
  readonly firstChild: MarkupNode | null;
  readonly parentNode: MarkupNode | null;
  readonly childNodes: ArrayLike<MarkupNode>;
  getAttribute(name: string): string | null;
}

const asNode = (node: unknown) => node as MarkupNode;

const service = new TurndownService({
  ...{ headingStyle: 'atx', hr: '---', bulletListMarker: '-', codeBlockStyle: 'fenced', emDelimiter: '*' },
});

service.addRule('code', {
  filter: (node) => asNode(node).nodeName === 'PRE' && asNode(node).firstChild?.nodeName === 'CODE',
  replacement: (_, node) => {
    const code = asNode(node).textContent;
    const lang = /\blanguage-([\w+#.-]+)/.exec(asNode(node).className)?.[1] ?? '';
    const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
    const fence = '`'.repeat(longest + 1);
    return `\n\n${fence}${lang}\n${code}\n${fence}\n\n`;
  },
});
// Marks that Markdown has no signs for stand in it as markup.
service.keep(['sub', 'sup', 'kbd', 'mark', 'u', 'ins', 'abbr', 'small', 'cite', 'span']);
service.addRule('more', {
  filter: (node) => asNode(node).getAttribute('data-more') !== null,
  replacement: () => '\n\n<!--more-->\n\n',
});
service.addRule('struck', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
service.addRule('cell', {
  filter: ['td', 'th'],
  replacement: (content) => `| ${content.trim().replaceAll('|', '\\|').replaceAll('\n', ' ')} `,
});
service.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    const isHead = asNode(node).parentNode?.nodeName === 'THEAD';
    const cells = Array.from(asNode(node).childNodes).filter(({ nodeName }) => nodeName === 'TH' || nodeName === 'TD');
    const line = isHead ? `${cells.map((cell) => `| ${alignments[alignOf(cell)] ?? '---'} `).join('')}|\n` : '';
    return `${content}|\n${line}`;
  },
});
service.addRule('table', {
  filter: ['table', 'thead', 'tbody'],
  replacement: (content, node) => (asNode(node).nodeName === 'TABLE' ? `\n\n${content.trim()}\n\n` : content),
});

const alignments: Readonly<Record<string, string>> = { left: ':--', right: '--:', center: ':-:' };

function alignOf(cell: MarkupNode): string {
  return cell.getAttribute('data-align') ?? '';
}

/** Block markup as Markdown, which need not say all of it: whoever writes it reads it back and compares. */
export function blocksToMarkdown(content: string): string {
  // Comments are no part of what is turned into Markdown.
  const html = content.replace(/<!--\s\/?wp:[^>]*-->/g, '').replaceAll('<!--more-->', '<hr data-more="">');
  return `${service.turndown(html)}\n`;
}
