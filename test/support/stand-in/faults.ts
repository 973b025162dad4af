/** The fault of one append. */
export type AppendFault =
  /** It is stored, and the call ends without an answer. */
  | 'drop after commit'
  /** It is stored, and the call is never answered. */
  | 'silent after commit'
  /** It is not stored, and the call is never answered. */
  | 'never answer'
  /** Another node is the leader. */
  | 'not leader'
  /** It is refused before anything is stored, because the server starts, ends or has too much to do. */
  | 'not ready'
  | 'busy'
  /** Nothing is stored, but the call ends as if the connection were gone. */
  | 'unavailable';

/** The currently simulated faults. */
export class Faults {
  /** Applied to the next appends, one each; then appends work again. */
  readonly appends: AppendFault[] = [];
  /** Milliseconds by which every append is delayed. */
  delay = 0;
  /** While set, no call is answered and subscriptions send nothing; connections stay open. */
  silent = false;
  /** While set, open subscriptions send nothing. */
  mute = false;
  /** Reported address of the leader. */
  leader = { host: '127.0.0.1', port: 0 };
  /** The role of this server in its cluster; `electing`: there is no leader yet. */
  role: 'leader' | 'follower' | 'electing' = 'leader';
  /** The reported members of the cluster. */
  members: readonly { readonly port: number; readonly isLeader: boolean }[] = [];
  /** Why calls are refused: a wrong password, or missing rights. */
  refuses: 'user' | 'rights' | null = null;
  /** Whether the rest of the cluster is cut off: appends are held back, unanswered, until the isolation ends. */
  isolated = false;
}
