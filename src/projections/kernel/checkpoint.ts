/** State of the projections: a separate row, written together with the rows it describes. */
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
