/** What is to go wrong with one append. */
export type AppendFault =
  /** It is stored, and the call ends without an answer. */
  | 'drop after commit'
  /** It is stored, and the call is never answered. */
  | 'silent after commit'
  /** It is not stored, and the call is never answered. */
  | 'never answer'
  /** Another node is the leader. */
  | 'not leader'
  /** The call ends before anything is stored. */
  | 'unavailable';

/** What goes wrong at the moment. */
export class Faults {
  /** Met by the next appends, one each; then appends work again. */
  readonly appends: AppendFault[] = [];
  /** Milliseconds by which every append is held up. */
  delay = 0;
  /** Nothing is answered any more, and subscriptions fall silent; connections stay. */
  silent = false;
  /** Subscriptions that are open bring nothing any more. */
  mute = false;
  /** Where the leader is said to be. */
  leader = { host: '127.0.0.1', port: 0 };
}
