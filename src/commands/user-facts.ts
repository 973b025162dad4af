import type { UserFacts } from '#domain/user/commands.ts';
import { users } from '#projections/users/definition.ts';
import type { Session } from './session.ts';

export function userFacts(session: Session): UserFacts {
  return {
    nextUser: session.next.nextUser,
    loginTaken: (login) => isSame(session.userByName(login)?.login ?? '', login),
    slugTaken: (slug, except) => (session.userBySlug(slug)?.id ?? except) !== except,
    emailTaken(email, except) {
      const found = session.userByName(email);
      // A login may look like another user's mail address.
      const isOwner = found === undefined || isSame(found.email, email);
      const owner = isOwner ? found : session.of(users).byEmail(email);
      return (owner?.id ?? except) !== except;
    },
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
