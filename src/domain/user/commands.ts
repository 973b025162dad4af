import type { Role } from './roles.ts';

/** What a user says of themselves; absent members stay as they are. */
export interface ProfileFields {
  /** '': made from the other names. */
  readonly displayName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** '': the login. */
  readonly nickname?: string;
  /** As sent; made a proper slug here. '': made from the login. */
  readonly slug?: string;
  /** '': none. */
  readonly email?: string;
  readonly url?: string;
  readonly description?: string;
  /** What editors remember for the user: a JSON object; '': nothing. */
  readonly preferences?: string;
}

export interface NewUser extends ProfileFields {
  readonly login: string;
  readonly roles: readonly Role[];
}

export interface ChangedUser extends ProfileFields {
  readonly login?: string;
}

/** A password that was just made. The password itself never comes here, only its digest. */
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

/** What the decision depends on besides the user, all as of the position that is decided upon. `except`: a user id. */
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

/** How many can manage the site, and who decides; null: the system or the operator. */
export interface RoleFacts {
  readonly administrators: number;
  readonly actor: number | null;
}
