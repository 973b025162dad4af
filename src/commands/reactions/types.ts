import type * as general from '../reaction.ts';
import type { Session } from '../session.ts';

export type { Upcoming as Staged } from '../reaction.ts';
export type AnyReaction = general.Reaction<Session>;
