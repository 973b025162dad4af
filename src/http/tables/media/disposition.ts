import { isUtf8 } from 'node:buffer';

/**
 * The file name in a `Content-Disposition` header; `''` if it has none or is not that of an attachment. Only the plain `filename`
 * counts (interface behaviour, section 22).
 */
export function dispositionName(header: string): string {
  // Node decodes headers as Latin-1, whatever their bytes represent.
  const bytes = Buffer.from(header, 'latin1');
  const [kind = '', ...parts] = (isUtf8(bytes) ? bytes.toString('utf8') : header).split(';');
  if (kind.trim().toLowerCase() !== 'attachment') return '';
  const names = parts.flatMap((part) => {
    const [key = '', value] = part.split(/=(.*)/s);
    return key.trim() === 'filename' && value !== undefined ? [value.trim()] : [];
  });
  const name = names.at(-1) ?? '';
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}
