import type { TilePlace } from '#tlog/tiles.ts';

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
