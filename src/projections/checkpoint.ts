/** Where the projections stand; a row of its own, written with the rows it speaks of. */
export interface Checkpoint {
  position: number;
  hash: string;
  nextId: number;
  nextOrd: number;
  nextTerm: number;
  nextUser: number;
  nextComment: number;
}

export const emptyCheckpoint: Checkpoint = {
  position: 0,
  hash: '0'.repeat(64),
  nextId: 1,
  nextOrd: 0,
  nextTerm: 1,
  nextUser: 1,
  nextComment: 1,
};
