import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blockVersion, renderContent, renderExcerpt, renderRevisionExcerpt, renderTitle } from '../src/render.ts';
import { alone } from '../src/surroundings.ts';

interface Text {
  readonly raw?: string;
  readonly rendered?: string;
  readonly protected?: boolean;
  readonly block_version?: number;
}

interface Recorded {
  readonly title?: Text;
  readonly content?: Text;
  readonly excerpt?: Text;
  readonly meta?: { readonly footnotes?: string };
}

const folder = new URL('../../../test/conformance/open/expected/', import.meta.url);

/** Every record in a response that has a text both as stored and as rendered. */
function recordsIn(value: unknown): Recorded[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(recordsIn);
  const { title, content } = value as Recorded;
  return isBoth(title) || isBoth(content) ? [value as Recorded, ...inner] : inner;
}

function isBoth(text: Text | undefined): boolean {
  return typeof text?.raw === 'string' && typeof text.rendered === 'string';
}

/** The texts of a record, rendered from their stored form. */
function rendered({ title, content, excerpt, meta }: Recorded): unknown[] {
  const body = content?.raw;
  return [
    title?.rendered === undefined || renderTitle(title.raw ?? ''),
    content?.rendered === undefined || renderContent(body ?? '', alone(meta?.footnotes)),
    content?.block_version === undefined || blockVersion(body ?? ''),
    excerpt?.rendered === undefined || body === undefined || shownExcerpt(excerpt, body),
  ];
}

function shownExcerpt(excerpt: Text, body: string): string {
  return excerpt.protected === undefined
    ? renderRevisionExcerpt(excerpt.raw ?? '')
    : renderExcerpt(excerpt.raw ?? '', body);
}

function recorded({ title, content, excerpt }: Recorded): unknown[] {
  const body = content?.raw;
  return [
    title?.rendered ?? true,
    content?.rendered ?? true,
    content?.block_version ?? true,
    body === undefined ? true : (excerpt?.rendered ?? true),
  ];
}

describe('the texts of recorded responses are rendered as recorded', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.json')))('%s', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8').replaceAll('{{run}}', 'zword');
    const records = recordsIn(JSON.parse(text));
    expect(records.map(rendered)).toEqual(records.map(recorded));
  });
});
