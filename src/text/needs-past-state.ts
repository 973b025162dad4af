/** Thrown by a read of a position so far back that a state of the site has to be made first: a thread with such states answers it. */
export class NeedsPastState extends Error {
  override readonly name = 'NeedsPastState';
  readonly position: number;

  constructor(position: number) {
    super(`the state of position ${position} is needed`);
    this.position = position;
  }
}
