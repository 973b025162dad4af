import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { answerPage } from '../../../pages/pages.ts';
import type { FindFile } from '../../../server/files.ts';

export interface OwnContent {
  readonly status: number;
  readonly body: Buffer;
}

const UPLOADS = '/uploads/';

/** Path and query of a URL below the folder of the site; null if the URL is not the site's. */
export function ownPath(url: URL, model: Model): string | null {
  const site = new URL(model.site().url);
  const folder = site.pathname.replace(/\/+$/, '');
  const isBelow = url.pathname === folder || url.pathname.startsWith(`${folder}/`);
  if (url.host !== site.host || !isBelow) return null;
  return `${url.pathname.slice(folder.length) || '/'}${url.search}`;
}

/** Returns the first `most` bytes of a page or uploaded file of the site, without a network request. */
export async function ownContent(
  path: string,
  { model, files, max }: { readonly model: Model; readonly files: FindFile; readonly max: number },
): Promise<OwnContent> {
  if (path.startsWith(UPLOADS)) return fileContent(path.slice(UPLOADS.length), files, max);
  const { status, body } = answerPage({ url: path, password: null, attempt: noAttempt }, model);
  return { status, body: Buffer.from(body.join('')).subarray(0, max) };
}

const missing: OwnContent = { status: 404, body: Buffer.alloc(0) };
const noAttempt = () => ({ wait: 0, failed: () => undefined });

async function fileContent(path: string, files: FindFile, max: number): Promise<OwnContent> {
  const found = files(decoded(path.split('?', 1)[0] ?? ''));
  const size = found === null || found.isFor?.(anonymous) === false ? null : await found.bytes();
  if (found === null || size === null) return missing;
  const chunks = size === 0 ? [] : await Array.fromAsync(await found.read({ start: 0, end: Math.min(size, max) - 1 }));
  return { status: 200, body: Buffer.concat(chunks) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
