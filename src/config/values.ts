import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max);
}

export function secret() {
  return z.string().min(16).max(1024).optional().describe('a text of at least 16 characters');
}

export function jsonIn(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'no JSON' });
    return z.NEVER;
  }
}

export function jsonOrFile(text: string, context: z.RefinementCtx): unknown {
  if (text.trimStart().startsWith('{')) return jsonIn(text, context);
  try {
    return jsonIn(readFileSync(text, 'utf8'), context);
  } catch {
    context.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  }
}

export function isSiteUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return !/[?#\s]/.test(text) && url.username === '' && url.password === '';
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`;
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
