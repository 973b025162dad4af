import type { Role } from './roles.ts';

/** Profile fields that a request sets; absent members are kept. */
export interface ProfileFields {
  /** '': derived from the other names. */
  readonly displayName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** '': the login. */
  readonly nickname?: string;
  /** As sent; normalised by the decision. '': derived from the login. */
  readonly slug?: string;
  /** '': none. */
  readonly email?: string;
  readonly url?: string;
  readonly description?: string;
  /** Editor preferences of the user, as a JSON object; '': none. */
  readonly preferences?: string;
}

export interface NewUser extends ProfileFields {
  readonly login: string;
  readonly roles: readonly Role[];
}

export interface ChangedUser extends ProfileFields {
  readonly login?: string;
}

/** A new application password. Only its digest is known here, never the password. */
export interface IssuedPassword {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly appId?: string;
}

export interface IssuedToken extends Omit<IssuedPassword, 'appId'> {
  /** UTC, ISO 8601 with milliseconds. */
  readonly until: string;
  readonly publishes: boolean;
}

/** What the decision depends on besides the user, as of the position of the decision. `except`: a user id. */
export interface UserFacts {
  readonly nextUser: number;
  readonly loginTaken: (login: string) => boolean;
  readonly slugTaken: (slug: string, except: number) => boolean;
  readonly emailTaken: (email: string, except: number) => boolean;
}

export interface DeletionFacts {
  readonly administrators: number;
  readonly canInherit: (id: number) => boolean;
}

/** Number of users who can manage the site, and the acting user; null: the system or the operator. */
export interface RoleFacts {
  readonly administrators: number;
  readonly actor: number | null;
}
