import { isUtf8 } from 'node:buffer';

/**
 * The file name in a `Content-Disposition` header; `''` when it names none or is not that of an attachment. Only names in
 * that plain form count (interface behaviour, section 22).
 */
export function dispositionName(header: string): string {
  // Headers come as Latin letters, whatever their bytes stand for.
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
