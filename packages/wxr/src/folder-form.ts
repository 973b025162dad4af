import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { emptyItem } from './folder-defaults.ts';
import { FrontMatterFault, splitFrontMatter } from './folder-front-matter.ts';
import { markdownToBlocks, outerBlocks } from './folder-markdown.ts';
import { blocksToMarkdown } from './folder-turndown.ts';
import type { ItemRecord } from './records.ts';

/** What `site.json` of a folder with all records of a site says about itself. */
export const siteFolder = { form: 'site-folder', version: 1 } as const;

export type ItemFileForm = 'markdown' | 'html' | 'json';

/** What the file of an item says. */
export interface ItemFile {
  readonly item: ItemRecord;
  /** Path of its bytes in the folder; '': they are not in it. */
  readonly localFile: string;
}

/** The text of the file of an item, in the form that is wanted if reading it gives the same item, else in the next one that does. */
export function renderItemFile(file: ItemFile, form: ItemFileForm): { readonly ending: string; readonly text: string } {
  const forms: readonly ItemFileForm[] = ['markdown', 'html', 'json'];
  for (const one of forms.slice(forms.indexOf(form), -1)) {
    const ending = one === 'markdown' ? 'md' : 'html';
    const text = readableText(file, one, ending);
    if (text !== null) return { ending, text };
  }
  const { item, localFile } = file;
  return { ending: 'json', text: `${JSON.stringify({ ...item, ...(localFile !== '' && { localFile }) }, null, 2)}\n` };
}

/** Reads the file of an item. Throws `FrontMatterFault`. */
export function parseItemFile(text: string, ending: string): ItemFile {
  if (ending === 'json') return itemFrom(parsedJson(text));
  const { data, body } = splitFrontMatter(text);
  return itemFrom({ ...data, content: ending === 'md' ? markdownToBlocks(body) : body });
}

/** Null: nothing of its text can be said in Markdown. */
function rendered({ item, localFile }: ItemFile, form: ItemFileForm): string | null {
  const said = Object.entries(item).filter(
    ([name, value]) =>
      (name !== 'content' && name !== 'kind' && !isDeepStrictEqual(value, emptyItem[name as keyof ItemRecord])) ||
      isAlways(name),
  );
  const front = { ...Object.fromEntries(said), ...(localFile !== '' && { localFile }) };
  const body = form === 'markdown' ? markdownBody(item.content) : item.content;
  if (body === null) return null;
  return `---\n${stringify(front, { lineWidth: 0 })}---\n${body}`;
}

/** A text as Markdown, in which blocks that it cannot say stand as they are. */
function markdownBody(content: string): string | null {
  const blocks = outerBlocks(content);
  const said = blocks.map((block) => {
    const markdown = blocksToMarkdown(block);
    return markdownToBlocks(markdown) === block ? markdown.trim() : block;
  });
  const isSaid = blocks.length === 0 || said.some((one, i) => one !== blocks[i]);
  return isSaid ? `\n${said.join('\n\n')}\n` : null;
}

/** What people who look at the file want to see, also where it is the usual. */
function isAlways(name: string): boolean {
  return name === 'title' || name === 'status' || name === 'type';
}

/** The text of a form; null: reading it does not give the same item. */
function readableText(file: ItemFile, form: ItemFileForm, ending: string): string | null {
  try {
    const text = rendered(file, form);
    return text?.isWellFormed() && isDeepStrictEqual(parseItemFile(text, ending), file) ? text : null;
  } catch (error) {
    // A range error: markup is nested too deeply for it.
    if (error instanceof FrontMatterFault || error instanceof RangeError) return null;
    throw error;
  }
}

function parsedJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null) return found as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw new FrontMatterFault('is no JSON object', 1);
}

/** An item of what a file says, which has to be of the kinds that it has elsewhere. */
function itemFrom({ localFile = '', ...said }: { localFile?: unknown } & Readonly<Record<string, unknown>>): ItemFile {
  for (const [name, value] of Object.entries(said)) {
    if (!Object.hasOwn(samples, name)) throw new FrontMatterFault(`"${name}" is no field of an item`, 1);
    const sample = samples[name as keyof typeof samples];
    const fits = isLike(value, sample) || (value === null && emptyItem[name as keyof ItemRecord] === null);
    if (!fits) throw new FrontMatterFault(`"${name}" cannot be ${JSON.stringify(value)}`, 1);
  }
  if (typeof localFile !== 'string') throw new FrontMatterFault('"localFile" has to be a path', 1);
  return { item: { ...emptyItem, ...said }, localFile };
}

/** Whether a value has what a sample has: lists things like its first one, objects its names. */
function isLike(value: unknown, sample: unknown): boolean {
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((one) => isLike(one, sample[0]));
  if (typeof value !== typeof sample || value === null || Array.isArray(value)) return false;
  if (typeof sample !== 'object') return true;
  const named = value as Readonly<Record<string, unknown>>;
  return Object.entries(sample as object).every(([name, one]) => isLike(named[name], one));
}

const samples: Readonly<Record<keyof ItemRecord, unknown>> = {
  ...emptyItem,
  isRendered: true,
  ...{ date: '', dateGmt: '', modified: '', modifiedGmt: '' },
  terms: [{ taxonomy: '', label: '' }],
  meta: [{ key: '', value: '' }],
  file: {
    ...{ url: '', path: '', type: '', altText: '', width: 0, height: 0, original: '' },
    sizes: [{ name: '', file: '', width: 0, height: 0 }],
  },
  menuItem: { type: '', object: '', objectId: 0, parent: 0, url: '', target: '', classes: [''], xfn: [''] },
};
