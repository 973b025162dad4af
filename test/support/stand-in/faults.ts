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
  /** The call ends before anything is stored. */
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
  /** What this server is: the leader, another one of its cluster, or one of a cluster that elects its leader. */
  role: 'leader' | 'follower' | 'electing' = 'leader';
  /** What is said of the cluster. */
  members: readonly { readonly port: number; readonly isLeader: boolean }[] = [];
  /** What is wrong with whoever calls: the password, or what the account may do. */
  refuses: 'user' | 'rights' | null = null;
  /** The others of the cluster are cut off: appends are kept back, unanswered, until it is known whether they count. */
  isolated = false;
}
