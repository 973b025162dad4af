import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceNotice, SourceRecord } from '../src/records.ts';
import { openWxr } from '../src/wxr.ts';

export interface ReadExport {
  readonly records: readonly SourceRecord[];
  readonly notices: readonly SourceNotice[];
  /** Line at which each record begins. */
  readonly lines: readonly number[];
}

export const rootTag = (version = '1.2') =>
  `<rss version="2.0"
	xmlns:excerpt="http://wordpress.org/export/${version}/excerpt/"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:wp="http://wordpress.org/export/${version}/"
>`;

export const siteHead = `	<title>Harbour &amp; Tides</title>
	<link>https://example.com/</link>
	<description>Notes from the quay</description>
	<pubDate>Mon, 04 Mar 2024 10:00:00 +0000</pubDate>
	<language>en-GB</language>
	<wp:wxr_version>1.2</wp:wxr_version>
	<wp:base_site_url>https://example.com/</wp:base_site_url>
	<wp:base_blog_url>https://example.com</wp:base_blog_url>
`;

export const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** A whole export. */
export function exportOf(children: readonly string[], how: { head?: string; version?: string } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is an export made for a test. -->
<!-- generator="Quill/6.4" created="2024-03-04 10:00" -->
${rootTag(how.version)}

<channel>
${how.head ?? siteHead}${children.join('')}</channel>
</rss>
`;
}

/** An item: elements by their names, in the order of a real one; `more` stands at its end. */
export function item(fields: Readonly<Record<string, string>>, more = ''): string {
  const usual = {
    title: cdata(`Item ${fields['wp:post_id'] ?? ''}`),
    link: `https://example.com/?p=${fields['wp:post_id'] ?? ''}`,
    pubDate: 'Fri, 01 Mar 2024 09:30:00 +0000',
    'dc:creator': cdata('mira'),
    'content:encoded': cdata(''),
    'excerpt:encoded': cdata(''),
    'wp:post_date': cdata('2024-03-01 10:30:00'),
    'wp:post_date_gmt': cdata('2024-03-01 09:30:00'),
    'wp:comment_status': cdata('open'),
    'wp:ping_status': cdata('closed'),
    'wp:status': cdata('publish'),
    'wp:post_type': cdata('post'),
  };
  const all = Object.entries({ ...usual, ...fields }).map(([name, value]) => `\t\t<${name}>${value}</${name}>\n`);
  return `\t<item>\n${all.join('')}${more}\t</item>\n`;
}

export function post(id: number, content: string, more = ''): string {
  return item({ 'wp:post_id': String(id), 'content:encoded': cdata(content) }, more);
}

export function postmeta(key: string, value: string): string {
  const inner = `\t\t\t<wp:meta_key>${cdata(key)}</wp:meta_key>\n\t\t\t<wp:meta_value>${cdata(value)}</wp:meta_value>\n`;
  return `\t\t<wp:postmeta>\n${inner}\t\t</wp:postmeta>\n`;
}

/** Reads texts or bytes as the parts of one site. */
export async function readExport(...parts: readonly (string | Uint8Array)[]): Promise<ReadExport> {
  return withFiles(parts, async (files) => {
    const source = await openWxr(files);
    const [records, notices, lines]: [SourceRecord[], SourceNotice[], number[]] = [[], [], []];
    for await (const part of source.read()) {
      if ('notice' in part) notices.push(part.notice);
      else {
        records.push(part.record);
        lines.push(part.place.line);
      }
    }
    return { records, notices, lines };
  });
}

export async function withFiles<T>(
  parts: readonly (string | Uint8Array)[],
  use: (files: readonly string[], folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'wxr-'));
  try {
    const files = parts.map((_, index) => join(folder, `part-${index + 1}.xml`));
    for (const [index, file] of files.entries()) await writeFile(file, parts[index] ?? '');
    return await use(files, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function ofKind<K extends SourceRecord['kind']>(read: Pick<ReadExport, 'records'>, kind: K) {
  return read.records.filter((record): record is Extract<SourceRecord, { kind: K }> => record.kind === kind);
}

/** What was noticed, as `code:line`. */
export function codesOf({ notices }: ReadExport): readonly string[] {
  return notices.map(({ code, place }) => `${code}:${place.line}`);
}
