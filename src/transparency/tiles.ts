/** Hashes in a full tile (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
/** Levels of the tree from one level of tiles to the next. */
export const TILE_HEIGHT = 8;

/** A tile of hashes, or a bundle of entries: `<N>[.p/<W>]`. */
export interface TilePlace {
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes or entries in it; less than 256 in a partial tile. */
  readonly width: number;
}

/** What everybody may ask of a log: it shows nothing of the events. */
export interface PublicLog {
  /** The latest signed checkpoint; null before the first. */
  checkpoint(): string | null;
  /** The public key, and that of cosignatures; null until there is one. */
  verifier(): string | null;
  witness(): string | null;
  /** JSON: the public keys, and the notes in which earlier keys name their successors; null until there is a key. */
  keys(): string | null;
  /** Answers another log that asks for a cosignature (C2SP tlog-witness). */
  cosign(submission: string): { readonly status: number; readonly type: string; readonly text: string };
  /** A tile of hashes or a bundle of entries; null unless all of it exists. */
  tile(place: TilePlace): Uint8Array | null;
}

const PLACE = /^(0|[1-9]\d?|entries)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Parses what follows `tile/`; null for anything else than the one spelling of a tile. */
export function parseTilePath(path: string): TilePlace | null {
  const [, level = '', digits = '', width = String(TILE_WIDTH)] = PLACE.exec(path) ?? [];
  if (level === '') return null;
  const index = Number(digits.replaceAll(/[x/]/g, ''));
  const place: TilePlace = { level: level === 'entries' ? level : Number(level), index, width: Number(width) };
  const isTile = (level === 'entries' || Number(level) < 64) && Number.isSafeInteger(index);
  return isTile && tilePath(place) === path ? place : null;
}

export function tilePath({ level, index, width }: TilePlace): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const path = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}
