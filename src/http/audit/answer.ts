import { html } from '#text/html.ts';
import type { PageReply } from '../server/page-reply.ts';
import { compareSheet } from './compare.ts';
import { daySheet } from './day.ts';
import { healthSheet } from './health.ts';
import { messagesSheet, messagesTable } from './messages.ts';
import { pastSheet } from './past.ts';
import { pluginPages, pluginSheet } from './plugin-pages.ts';
import { type AuditSection, type Sheet, sheetDocument } from './sheet.ts';
import type { AuditCall, AuditStore } from './store.ts';
import { stylePolicy } from './style.ts';
import { thingSheet } from './thing.ts';
import { timelineSheet } from './timeline.ts';

/** Path of the audit pages. */
const auditRoot = '/cms-audit';

const headers = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${stylePolicy}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  // Without a referrer, browsers would not name the origin of forms.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

interface Page {
  /** Path below the root. */
  readonly pattern: RegExp;
  readonly section: AuditSection;
  readonly sheet: (call: AuditCall) => Sheet | null | Promise<Sheet | null>;
}

const pages: readonly Page[] = [
  { pattern: /^$/, section: '', sheet: timelineSheet },
  { pattern: /^day$/, section: 'day', sheet: daySheet },
  { pattern: /^messages$/, section: 'messages', sheet: messagesSheet },
  { pattern: /^health$/, section: 'health', sheet: healthSheet },
  { pattern: /^things\/[^/]+$/, section: '', sheet: thingSheet },
  { pattern: /^things\/[^/]+\/changes$/, section: '', sheet: compareSheet },
  { pattern: /^things\/[^/]+\/at$/, section: 'day', sheet: pastSheet },
  ...pluginPages.map((page) => ({
    pattern: new RegExp(`^${page.path}$`),
    section: page.path,
    sheet: (call: AuditCall) => pluginSheet(page, call),
  })),
];

/** The page that an administrator requests; `url` is the target in the request line. */
export async function answerAudit(
  url: string,
  { account, ...parts }: Omit<AuditCall, 'path' | 'query'> & Pick<ShownSheet, 'account'>,
): Promise<PageReply> {
  const shown = { store: parts.store, account };
  const { pathname, searchParams: query } = new URL(url, 'http://site.invalid');
  const path = pathname.slice(auditRoot.length + 1);
  if (path === 'messages.csv') return tableReply(messagesTable({ ...parts, path: [path], query }));
  const found = pathname.startsWith(`${auditRoot}/`) ? pages.find(({ pattern }) => pattern.test(path)) : undefined;
  const made = await found?.sheet({ ...parts, path: path.split('/').map(decoded), query });
  return made
    ? auditReply(made, found?.section ?? null, shown)
    : noticeReply('No such page or item', 404, { url, ...shown });
}

function tableReply(body: string): PageReply {
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': 'text/csv; charset=UTF-8; header=present' },
    body: [body],
  };
}

export function noticeReply(
  title: string,
  status: number,
  { url, ...shown }: ShownSheet & { readonly url: string },
): PageReply {
  return auditReply({ title, depth: depthOf(url), main: html`<h1>${title}</h1>`, status }, null, shown);
}

export interface ShownSheet {
  readonly store: AuditStore;
  readonly account?: string | undefined;
}

export function auditReply(sheet: Sheet, section: AuditSection, { store, account }: ShownSheet): PageReply {
  return {
    status: sheet.status ?? 200,
    headers,
    body: sheetDocument(sheet, section, { site: store.reader.site(), account }),
  };
}

export function depthOf(url: string): number {
  return Math.max(0, url.replace(/\?.*/s, '').split('/').length - 3);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
