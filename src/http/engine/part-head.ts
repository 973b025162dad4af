export interface PartHead {
  /** Name of the field; null if it has none. */
  readonly name: string | null;
  /** Name of the file as the client gave it, without folders; null if the part is not a file. */
  readonly file: string | null;
  readonly type: string;
}

const FOLD = /\r\n[ \t]+/g;
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
const EXTENDED = /^utf-8'[^']*'(.*)$/i;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;,"]+))/i;

/** The boundary in a content type; null if it has none. */
export function boundaryIn(contentType: string): string | null {
  const found = BOUNDARY.exec(contentType);
  return found?.[1] ?? found?.[2] ?? null;
}

/**
 * Reads the head of a part. Null: the part is neither a field nor a file of a form. Written by hand: `@fastify/busboy` prefers
 * `filename` to `filename*`, and drops a part for one malformed line (ADR 66).
 */
export function readPartHead(text: string): PartHead | null {
  const lines = text.replace(FOLD, ' ').split('\r\n');
  const disposition = headerIn(lines, 'content-disposition');
  if (disposition === null || !/^form-data\s*(?:;|$)/i.test(disposition)) return null;
  const given = parametersIn(disposition);
  const type = headerIn(lines, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() || 'text/plain';
  const file = extended(given.get('filename*')) ?? given.get('filename') ?? null;
  return {
    name: given.get('name') ?? null,
    file: file === null ? unnamed(type) : withoutFolders(file),
    type,
  };
}

function headerIn(lines: readonly string[], name: string): string | null {
  const line = lines.find((one) => one.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

function parametersIn(header: string): ReadonlyMap<string, string> {
  const found = [...header.matchAll(PARAMETER)].map(
    ([, name = '', quoted, plain = '']) =>
      [name.toLowerCase(), quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, '$1')] as const,
  );
  return new Map(found);
}

function extended(value: string | undefined): string | null {
  const encoded = value === undefined ? null : EXTENDED.exec(value)?.[1];
  try {
    return encoded === null || encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function unnamed(type: string): string | null {
  return type === 'application/octet-stream' ? '' : null;
}

function withoutFolders(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
