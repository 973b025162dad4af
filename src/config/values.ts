import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localPathFault, parseAddress } from '#objects/address.ts';

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max);
}

/** A size in bytes. */
export function bytes(min: number, max: number) {
  return wholeNumber(min, max).describe(`a number of bytes ${min === 0 ? 'up' : `from ${min}`} to ${max}`);
}

const http = /^https?:\/\/[^/]/i;

/** A file or folder of this machine. */
export function localPath() {
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const fault = localPathFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    });
}

/** A folder of this machine, or a bucket. */
export function objectsAddress() {
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      const found = parseAddress(text);
      if (typeof found === 'string') context.addIssue({ code: 'custom', message: found });
    });
}

/** A whole address with http or https. */
export function isHttp(text: string): boolean {
  return http.test(text) && URL.canParse(text);
}

export function secret() {
  return z.string().min(16).max(1024).optional().describe('a text of at least 16 characters');
}

export function jsonIn(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'it is no JSON' });
    return z.NEVER;
  }
}

export function jsonOrFile(text: string, context: z.RefinementCtx): unknown {
  if (text.trimStart().startsWith('{')) return jsonIn(text, context);
  try {
    return jsonIn(readFileSync(text, 'utf8'), context);
  } catch (error) {
    const isAway = (error as NodeJS.ErrnoException).code === 'ENOENT';
    context.addIssue({ code: 'custom', message: isAway ? 'there is no such file' : 'that file cannot be read' });
    return z.NEVER;
  }
}

export function isSiteUrl(text: string): boolean {
  const url = isHttp(text) ? URL.parse(text) : null;
  if (url === null) return false;
  return !/[?#\s]/.test(text) && url.username === '' && url.password === '';
}

function isOrigin(text: string): boolean {
  const url = isHttp(text) ? URL.parse(text) : null;
  return url !== null && url.href === `${url.origin}/`;
}

export function withoutSlash(text: string): string {
  return new URL(text).href.replace(/(?<!\/)\/+$/, '');
}

export function isTimezone(text: string): boolean {
  // Shortcut: constructing any time zone takes a tenth of the start of a verb.
  if (text === 'UTC') return true;
  if (/^[+-]/.test(text) && !/^[+-]\d\d:\d\d$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export function items(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function isAbsent(path: string): boolean {
  return !existsSync(path);
}

/** Content of a credentials file of the service manager, without the final line end; undefined if there is none. */
export function credential(folder: string | undefined, name: string): string | undefined {
  if (!folder) return undefined;
  try {
    return readFileSync(join(folder, name), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Origins, separated by commas. */
export const origins = z
  .string()
  .transform(items)
  .refine((names) => names.every(isOrigin))
  .transform((names) => names.map((name) => new URL(name).origin));

/** What is wrong within a value, where more than the value as a whole can be named. */
export function faultWithin(issue: z.core.$ZodIssue): string | [] {
  // A place in a list is no name.
  const place = issue.path
    .slice(1)
    .filter((part) => typeof part === 'string')
    .join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${[place, key].filter(Boolean).join('.')}"`);
    return `${names.join(', ')} is not known`;
  }
  const said = issue.code === 'custom' && issue.message !== 'Invalid input' ? issue.message : null;
  if (place !== '') return `"${place}" is not as it has to be${said === null ? '' : ` (${said})`}`;
  return said ?? [];
}

export function isSameHost(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::');
}
