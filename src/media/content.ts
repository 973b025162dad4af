import { allowedTypes, extensionOfType, isImageType, mainType, typeOfExtension } from '#domain/media/types.ts';

/** Type of a file, and the extension that its name should have. */
export interface FileKind {
  readonly type: string;
  readonly extension: string;
}

const SAME: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'application/gzip': 'application/x-gzip',
  'application/x-rar-compressed': 'application/rar',
  'image/vnd.adobe.photoshop': 'application/octet-stream',
  'image/x-xcf': 'application/octet-stream',
};
/** Containers of many formats; their first bytes do not show what is inside. */
const CONTAINERS = new Set(['application/zip', 'application/x-cfb', 'application/octet-stream']);
const HEIF = /^image\/hei[cf](?:-sequence)?$/;
const MARKUP =
  /^\s*<(?:!doctype|!--|\?|%|html|head|body|script|svg|iframe|object|embed|style|title|link|meta|base|h1|div|font|table|form|a|b|br|p)(?:[\s>/[?-]|$)/i;

/**
 * Recognises a file by its first bytes. The extension must be allowed and match; an image of another type gets the extension of its actual
 * type. Null if they do not match.
 */
export async function recognise(extension: string, head: Buffer): Promise<FileKind | null> {
  const claimed = typeOfExtension(extension);
  if (claimed === undefined) return null;
  const real = await realType(head);
  if (isImageType(claimed)) return imageKind({ type: claimed, extension }, real);
  return real !== null && fits(claimed, real) ? { type: claimed, extension } : null;
}

function imageKind(claimed: FileKind, real: string | null): FileKind | null {
  if (real === null || !isImageType(real) || !allowedTypes.includes(real)) return null;
  if (real === claimed.type || (HEIF.test(real) && HEIF.test(claimed.type))) return claimed;
  return { type: real, extension: extensionOfType(real) ?? claimed.extension };
}

function fits(claimed: string, real: string): boolean {
  if (claimed.toLowerCase() === real) return true;
  const [wanted, found] = [mainType(claimed), mainType(real)];
  if (found === 'text') return wanted === 'text';
  // Audio and video share containers, and their extensions are often confused.
  if (found === 'video' || found === 'audio') return wanted === 'video' || wanted === 'audio';
  return CONTAINERS.has(real) && wanted !== 'text' && wanted !== 'image';
}

/** The actual type; null for content that a site should not serve: pages, scripts, programs. */
async function realType(head: Buffer): Promise<string | null> {
  // Loaded only for uploads.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.split(';', 1)[0];
  if (found !== undefined) return SAME[found] ?? found;
  if (!isText(head)) return 'application/octet-stream';
  return MARKUP.test(
    head
      .subarray(0, 4096)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  )
    ? null
    : 'text/plain';
}

function isText(head: Buffer): boolean {
  if (head.length >= 2 && ['fffe', 'feff'].includes(head.toString('hex', 0, 2))) return true;
  return !head.some((byte) => byte < 32 && byte !== 27 && (byte < 8 || byte > 13));
}
