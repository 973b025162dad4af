/** Characters from which counting bytes is faster than looking at each character. */
const long = 256;

export function isAscii(text: string): boolean {
  if (text.length >= long) return Buffer.byteLength(text) === text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
