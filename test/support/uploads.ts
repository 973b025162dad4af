import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { fileKeyOf } from '#media/files.ts';
import type { As, Site } from './site.ts';

export interface UploadAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test reads different members of an answer
  readonly body: any;
}

export interface FileToSend {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array | string;
}

interface More {
  /** Parameters, as a query string. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** While a body is being sent the client opens another connection; an unused one would keep the server open. */
const alone = { connection: 'close' };

/** Uploads a file as the request body. */
export function uploadBody(site: Site, as: As, file: FileToSend, more: More = {}): Promise<UploadAnswer> {
  const headers = { 'content-type': file.type, 'content-disposition': `attachment; filename="${file.name}"` };
  return send(site, as, { body: Buffer.from(file.bytes), headers: { ...headers, ...more.headers }, query: more.query });
}

/** Uploads a file as a part of a form. */
export function uploadForm(
  site: Site,
  as: As,
  file: FileToSend,
  { fields = {}, field = 'file', ...more }: More & { fields?: Readonly<Record<string, string>>; field?: string } = {},
): Promise<UploadAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(field, new Blob([Buffer.from(file.bytes)], { type: file.type }), file.name);
  return send(site, as, { body: form, headers: more.headers ?? {}, query: more.query });
}

/** Sends a request to the upload address. */
export async function send(
  site: Site,
  as: As,
  {
    body,
    headers,
    query = '',
  }: {
    body?: string | Uint8Array | FormData | ReadableStream | undefined;
    headers: Record<string, string>;
    query?: string | undefined;
  },
): Promise<UploadAnswer> {
  const credentials = site.authorization(as);
  const response = await fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/media${query && `?${query}`}`, {
    method: 'POST',
    headers: { ...alone, ...(credentials === '' ? {} : { authorization: credentials }), ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  } as RequestInit);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Fetches an address of an uploaded file. */
export function fetchFile(site: Site, address: string, init: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(address);
  return fetch(`http://127.0.0.1:${site.port}${pathname}`, { ...init, headers: { ...alone, ...init.headers } });
}

/** The path of a hash’s bytes in the media folder. */
export function keptPath({ directory }: Pick<Site, 'directory'>, hash: string): string {
  return join(directory, 'media', fileKeyOf(hash));
}

/** Lists the files in the media folder, by their paths in it. */
export function filesKept({ directory }: Pick<Site, 'directory'>): string[] {
  const folder = join(directory, 'media');
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Makes a PNG of one colour, whose header can claim any size. */
export function pngOf(width: number, height: number, { rows = height }: { rows?: number } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((1 + width) * rows));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
