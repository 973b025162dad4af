import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import type { DownloadOptions } from '#outgoing/download.ts';
import type { SiteSource } from '#wxr/records.ts';
import { SourceFault } from '#wxr/records.ts';
import { UsageError, type VerbPlace } from '../verb.ts';

/** Arguments of every verb that reads a source. */
export const sourceArgs = {
  source: z
    .array(z.string().min(1))
    .describe('an address, a folder, or the files of an export that are parts of one site'),
  user: z.string().min(1).optional().describe('login at an address; its application password is in MIGRATE_PASSWORD'),
  requests: z
    .string()
    .regex(/^(?:[1-9]|1\d|2\d)$/, 'is not a number from 1 to 29')
    .optional()
    .describe('requests to an address at the same time. Default: 2'),
  pause: z
    .string()
    .regex(/^\d{1,5}$/, 'is not a number of milliseconds')
    .optional()
    .describe('milliseconds before each request to an address. Default: 0'),
  media: localPath()
    .optional()
    .describe('folder with the uploaded files; without it they are fetched from their addresses'),
  host: z.string().min(1).optional().describe('host that files may be fetched from although it is not public'),
  authors: localPath()
    .optional()
    .describe('CSV file with a login at the source and one here per line; * is for all others'),
  mapping: localPath().optional().describe('file that says what the names in front matter of a folder mean'),
};

export type SourceArgs = z.infer<z.ZodObject<typeof sourceArgs>>;

export interface OpenedSource {
  readonly source: SiteSource;
  /** Hosts that are reached although they may not be public. */
  readonly trusted: ReadonlySet<string>;
  readonly authorization: DownloadOptions['authorization'];
  /** By login at the source: login here. */
  readonly authors: ReadonlyMap<string, string>;
}

/** Opens a source. Throws `UsageError`, and `SourceFault` if it cannot be read. */
export async function openSource(args: SourceArgs, { signal }: Pick<VerbPlace, 'signal'>): Promise<OpenedSource> {
  const { user, host, authors: file } = args;
  const [first = ''] = args.source;
  const address = /^https?:\/\//i.test(first) ? URL.parse(first) : null;
  const password = process.env['MIGRATE_PASSWORD'] ?? '';
  if (user !== undefined && password === '') {
    throw new UsageError(`MIGRATE_PASSWORD is not set: it has the application password of ${user}`);
  }
  const trusted = new Set([...(address === null ? [] : [address.host]), ...(host === undefined ? [] : [host])]);
  const value = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const authorization = user === undefined || address === null ? null : { origin: address.origin, value };
  const authors = file === undefined ? new Map<string, string>() : authorsIn(file);
  if (address !== null) {
    const { openLiveSite } = await import('#wxr/live.ts');
    const access = user === undefined ? {} : { user, password };
    const manners = { concurrency: Number(args.requests ?? 2), pause: Number(args.pause ?? 0) };
    return { source: await openLiveSite(first, { ...access, ...manners, signal }), trusted, authorization, authors };
  }
  return { source: await openLocal(args), trusted, authorization: null, authors };
}

async function openLocal({ source, media, mapping }: SourceArgs): Promise<SiteSource> {
  for (const path of source) {
    if (existsSync(path)) continue;
    const isHost = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(path) && /[.:]/.test(path);
    throw new UsageError(
      `there is no file or folder ${path}${isHost ? '; an address begins with https:// or http://' : ''}`,
    );
  }
  if (media !== undefined && !isFolder(media)) throw new UsageError(`--media: there is no folder ${media}`);
  if (mapping !== undefined && !existsSync(mapping)) throw new UsageError(`--mapping: there is no file ${mapping}`);
  const folders = source.filter((path) => statSync(path).isDirectory());
  if (folders.length === 0) {
    const { openWxr } = await import('#wxr/wxr.ts');
    return openWxr(source, media === undefined ? {} : { media });
  }
  const [folder, ...more] = source;
  if (more.length > 0 || folder === undefined) throw new UsageError('name one folder, or the files of one export');
  const { openFolderSource } = await import('#wxr/folder.ts');
  const { parseFolderMapping } = await import('#wxr/folder-mapping.ts');
  const meant = mapping === undefined ? {} : { mapping: parseFolderMapping(readFileSync(mapping, 'utf8'), mapping) };
  return openFolderSource(folder, { ...meant, now: Date.now() });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function authorsIn(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const lines = readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  return new Map(
    lines
      .filter((line) => line.trim() !== '')
      .map((line): [string, string] => {
        const cells = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
        const [theirs = '', ours = ''] = cells;
        if (cells.length !== 2 || theirs === '' || ours === '') {
          throw new UsageError(`--authors: "${line}" is not a login at the source, a comma, and a login here`);
        }
        return [theirs, ours];
      }),
  );
}

/** Folder for files on their way to the store; the server has to be able to read it. */
export function waitingFolder({ dataDir }: VerbPlace['config']): string {
  return join(dataDir, 'migrating');
}

export function isSourceFault(error: unknown): error is SourceFault {
  return error instanceof SourceFault;
}
