import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { emptyItem } from './folder-defaults.ts';
import { FrontMatterFault, splitFrontMatter } from './folder-front-matter.ts';
import { markdownToBlocks } from './folder-markdown.ts';
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
    const text = rendered(file, one);
    const ending = one === 'markdown' ? 'md' : 'html';
    if (text.isWellFormed() && readsBack(text, ending, file)) return { ending, text };
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

function rendered({ item, localFile }: ItemFile, form: ItemFileForm): string {
  const said = Object.entries(item).filter(
    ([name, value]) =>
      (name !== 'content' && name !== 'kind' && !isDeepStrictEqual(value, emptyItem[name as keyof ItemRecord])) ||
      isAlways(name),
  );
  const front = { ...Object.fromEntries(said), ...(localFile !== '' && { localFile }) };
  const body = form === 'markdown' ? `\n${blocksToMarkdown(item.content)}` : item.content;
  return `---\n${stringify(front, { lineWidth: 0 })}---\n${body}`;
}

/** What people who look at the file want to see, also where it is the usual. */
function isAlways(name: string): boolean {
  return name === 'title' || name === 'status' || name === 'type';
}

function readsBack(text: string, ending: string, file: ItemFile): boolean {
  try {
    return isDeepStrictEqual(parseItemFile(text, ending), file);
  } catch (error) {
    if (error instanceof FrontMatterFault) return false;
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

/** An item of what a file says: each value has to be of the type that it has elsewhere. */
function itemFrom({ localFile = '', ...said }: { localFile?: unknown } & Readonly<Record<string, unknown>>): ItemFile {
  for (const [name, value] of Object.entries(said)) {
    const usual = emptyItem[name as keyof ItemRecord];
    const fits =
      name === 'isRendered'
        ? value === true
        : usual === null || name === 'file' || name === 'menuItem'
          ? value === null || typeof value === (name === 'file' || name === 'menuItem' ? 'object' : 'string')
          : typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual) && value !== null;
    if (!fits) throw new FrontMatterFault(`"${name}" cannot be ${JSON.stringify(value)}`, 1);
  }
  if (typeof localFile !== 'string') throw new FrontMatterFault('"localFile" has to be a path', 1);
  return { item: { ...emptyItem, ...said }, localFile };
}
