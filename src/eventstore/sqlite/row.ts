import type { ChainLink } from '../chain.ts';

/** A row of `events`, in the order of `COLUMNS`, with its sealed text as a string or as UTF-8. */
export type RowOf<T> = [
  position: number,
  stream: string,
  revision: number,
  type: string,
  v: number,
  id: string,
  commitId: string,
  i: number,
  n: number,
  at: string,
  actor: number | null,
  correlationId: string,
  causationId: string | null,
  salt: string | null,
  sealedDigest: string | null,
  hash: string | null,
  data: string,
  sealed: T | null,
];
export type LogRow = RowOf<string>;
export type PackedRow = RowOf<Uint8Array>;

type Sealing<T> = ChainLink & { readonly sealed: T | null };
type Salted<T> = Sealing<T> & { readonly salt: string | null };

export function toRow<T>(e: Salted<T>): RowOf<T> {
  return [
    e.position,
    e.stream,
    e.revision,
    e.type,
    e.v,
    e.id,
    e.commit.id,
    e.commit.i,
    e.commit.n,
    e.at,
    e.actor,
    e.correlationId,
    e.causationId,
    e.salt,
    e.sealedDigest,
    e.hash,
    e.data,
    e.sealed,
  ];
}

export function withSealed<T, U>(row: RowOf<T>, sealed: U | null): RowOf<U> {
  return (row as RowOf<T | U>).with(17, sealed) as RowOf<U>;
}

export function toStored<T>(row: RowOf<T>): Sealing<T> {
  return {
    position: row[0],
    stream: row[1],
    revision: row[2],
    type: row[3],
    v: row[4],
    id: row[5],
    commit: { id: row[6], i: row[7], n: row[8] },
    at: row[9],
    actor: row[10],
    correlationId: row[11],
    causationId: row[12],
    sealedDigest: row[14],
    hash: row[15],
    data: row[16],
    sealed: row[17],
  };
}

export function toChained<T>(row: RowOf<T>): Salted<T> {
  return { ...toStored(row), salt: row[13] };
}
