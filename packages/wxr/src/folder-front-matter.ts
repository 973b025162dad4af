import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { parseDocument, visit, YAMLParseError } from 'yaml';

/** What stands before a text, and the text. */
export interface FrontMatter {
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Whether there is anything before the text. */
  readonly isThere: boolean;
}

/** Front matter that cannot be read: where in the file, from line 1. */
export class FrontMatterFault extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Splits a file into its front matter (YAML between `---`, TOML between `+++`, or a JSON object) and its text. */
export function splitFrontMatter(file: string): FrontMatter {
  const mark = /^(---|\+\+\+)[ \t]*\r?\n/.exec(file);
  if (mark) return fenced(file, mark[1] ?? '', mark[0].length);
  if (/^\{\s*"/.test(file)) return asJson(file);
  return { data: {}, body: file, isThere: false };
}

/** A text of YAML, TOML or JSON, by the ending of its name. */
export function parseSettings(text: string, name: string): unknown {
  try {
    if (name.endsWith('.toml')) return plain(parseToml(text));
    return name.endsWith('.json') ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    throw new FrontMatterFault(firstLine(error), lineOf(error));
  }
}

/** What would lose characters as a number, such as the slug `007`, stays the text that was written. */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [fault] = document.errors;
  if (fault !== undefined) throw fault;
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'number' && node.source !== String(node.value)) node.value = node.source;
    },
  });
  return document.toJS();
}

function fenced(file: string, mark: string, begin: number): FrontMatter {
  const fence = mark === '---' ? /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm : /^\+\+\+[ \t]*(?:\r?\n|$)/gm;
  fence.lastIndex = begin;
  const end = fence.exec(file);
  if (!end) throw new FrontMatterFault(`the front matter does not end: there is no line with ${mark} below it`, 1);
  try {
    const text = file.slice(begin, end.index);
    const data = parseSettings(text, mark === '---' ? 'front.yaml' : 'front.toml') ?? {};
    if (typeof data !== 'object' || Array.isArray(data)) throw new FrontMatterFault('the front matter has no names', 1);
    return { data: data as FrontMatter['data'], body: file.slice(end.index + end[0].length), isThere: true };
  } catch (error) {
    throw error instanceof FrontMatterFault ? new FrontMatterFault(error.message, error.line + 1) : error;
  }
}

/** A JSON object at the beginning ends with a line that closes it, or with the file. */
function asJson(file: string): FrontMatter {
  const end = /^\}[ \t]*(?:\r?\n|$)/m.exec(file);
  const length = end ? end.index + end[0].length : file.length;
  return {
    data: parseSettings(file.slice(0, length), 'front.json') as FrontMatter['data'],
    body: file.slice(length),
    isThere: true,
  };
}

function lineOf(error: unknown): number {
  if (error instanceof YAMLParseError) return error.linePos?.[0].line ?? 1;
  return error instanceof TomlError ? error.line : 1;
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}

/** Dates of TOML as the texts that YAML and JSON have. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
