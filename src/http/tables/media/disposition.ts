import { isUtf8 } from 'node:buffer';

/** The file name in a `Content-Disposition` header; `''` when it names none. Only names in that plain form count. */
export function dispositionName(header: string): string {
  // Headers come as Latin letters, whatever their bytes stand for.
  const bytes = Buffer.from(header, 'latin1');
  const [, ...parts] = (isUtf8(bytes) ? bytes.toString('utf8') : header).split(';');
  const names = parts.flatMap((part) => {
    const [key = '', value] = part.split(/=(.*)/s);
    return key.trim() === 'filename' && value !== undefined ? [value.trim()] : [];
  });
  const name = names.at(-1) ?? '';
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}
