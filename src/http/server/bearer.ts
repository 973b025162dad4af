import type { Viewer } from '#domain/user/roles.ts';
import { type Authenticator, type AuthenticatorOptions, failedIdentity } from './auth.ts';

export interface BearerOptions extends Pick<AuthenticatorOptions, 'guesses' | 'onUse'> {
  /** The viewer of a token that is currently valid, else null. */
  readonly authenticateToken: ((token: string) => Viewer | null) | undefined;
}

const BEARER = /^bearer +([\w.-]{1,200}) *$/i;

/**
 * Adds bearer tokens to an authenticator. They are looked up at each request, so that a withdrawal takes effect at once. A valid
 * token is accepted however many wrong ones were sent from its address.
 */
export function withTokens(
  { identify }: Pick<Authenticator, 'identify'>,
  { authenticateToken, guesses, onUse }: BearerOptions,
): Pick<Authenticator, 'identify'> {
  return {
    identify: (header, address) => {
      const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
      if (token === undefined || authenticateToken === undefined) return identify(header, address);
      const viewer = authenticateToken(token);
      if (viewer !== null) {
        onUse?.(viewer, address);
        return { viewer, failed: false, wait: 0 };
      }
      const { wait, failed } = guesses.token(address());
      if (wait === 0) failed();
      return { ...failedIdentity, wait };
    },
  };
}
