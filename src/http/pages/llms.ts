import { tools } from '#domain/tools/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { plainExcerpt, plainTitle, publicItem } from '#site/items/item.ts';
import type { PageReply } from '../server/page-reply.ts';

/** Path of the site's contents in Markdown, for language models. */
const path = '/llms.txt';
/** Maximum pages, and maximum posts: the newest. */
const max = 500;

/** A list of everything published, for programs; null for other paths, or if it is switched off. */
export function llmsText(asked: string, model: Model): PageReply | null {
  if (asked !== path || !model.plugin(tools).switches.enable_llms_txt) return null;
  const { name, description } = model.site();
  const parts = [
    `# ${line(name)}`,
    ...(description === '' ? [] : [`> ${line(description)}`]),
    ...section('Pages', 'page', model),
    ...section('Posts', 'post', model),
  ];
  const headers = {
    'Content-Type': 'text/markdown; charset=UTF-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
  return { status: 200, headers, body: [`${parts.join('\n\n')}\n`] };
}

function section(title: string, kind: 'page' | 'post', model: Model): readonly string[] {
  const { ids } = model.present().find({
    ...{ kind, statuses: [{ status: 'publish' }], orderBy: 'date', order: 'desc', offset: 0, limit: max },
  });
  const items = ids.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0) return [];
  const lines = items.map((item) => {
    const excerpt = line(plainExcerpt(item));
    return `- [${line(plainTitle(item))}](${item.address})${excerpt === '' ? '' : `: ${excerpt}`}`;
  });
  return [`## ${title}`, lines.join('\n')];
}

function line(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#]/g, '\\$&')
    .trim();
}
