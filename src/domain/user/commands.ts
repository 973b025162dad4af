import type { Role } from './roles.ts';

/** What others may see of a user; absent members stay as they are. */
export interface ProfileFields {
  readonly displayName?: string;
  /** As sent; made a proper slug here. */
  readonly slug?: string;
  /** '': none. */
  readonly email?: string;
  readonly url?: string;
  readonly description?: string;
}

export interface NewUser extends ProfileFields {
  readonly login: string;
  readonly role: Role;
}

/** A password that was just made. The password itself never comes here, only its digest. */
export interface IssuedPassword {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  /** uuid of the program that it is for. */
  readonly appId?: string;
}

/** What the decision depends on besides the user, all as of the position that is decided upon. `except`: a user id. */
export interface UserFacts {
  readonly nextUser: number;
  readonly loginTaken: (login: string) => boolean;
  readonly slugTaken: (slug: string, except: number) => boolean;
  readonly emailTaken: (email: string, except: number) => boolean;
}
