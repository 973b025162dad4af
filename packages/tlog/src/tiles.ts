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
