import { open } from 'node:fs/promises';
import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { FindFile } from './files.ts';
import { answerPage } from './pages/pages.ts';

/** What everybody gets at an address of this site. */
export interface OwnContent {
  readonly status: number;
  readonly body: Buffer;
}

const UPLOADS = '/uploads/';

/** The path of an address below the folder of the site, with its query; null when it is another server's. */
export function ownPath(url: URL, model: Model): string | null {
  const site = new URL(model.site().url);
  const folder = site.pathname.replace(/\/+$/, '');
  const isBelow = url.pathname === folder || url.pathname.startsWith(`${folder}/`);
  if (url.host !== site.host || !isBelow) return null;
  return `${url.pathname.slice(folder.length) || '/'}${url.search}`;
}

/** The beginning of a page or uploaded file, without asking the network for it. */
export async function ownContent(
  path: string,
  { model, files, most }: { readonly model: Model; readonly files: FindFile; readonly most: number },
): Promise<OwnContent> {
  if (path.startsWith(UPLOADS)) return fileContent(path.slice(UPLOADS.length), files, most);
  const { status, body } = answerPage({ url: path, password: null, attempt: noAttempt }, model);
  return { status, body: Buffer.from(body).subarray(0, most) };
}

const missing: OwnContent = { status: 404, body: Buffer.alloc(0) };
const noAttempt = () => ({ wait: 0, failed: () => undefined });

async function fileContent(path: string, files: FindFile, most: number): Promise<OwnContent> {
  const found = files(decoded(path.split('?', 1)[0] ?? ''));
  if (found === null || found.isFor?.(anonymous) === false || !(await found.isIntact())) return missing;
  const file = await open(found.location, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, 0);
    return { status: 200, body: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
