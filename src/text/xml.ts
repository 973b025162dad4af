/** Characters that no XML document may contain (XML 1.0, 2.2), halves of surrogate pairs among them. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A piece of an XML document without characters that would make the whole document unreadable. All XML that is sent passes through here. */
export function xmlCharacters(piece: string): string {
  return piece.replace(FORBIDDEN, '');
}
