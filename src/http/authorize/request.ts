/** What a program requests from a user: a password of its own, and where to redirect the browser (interface behaviour, section 39). */
export interface AuthorizationRequest {
  /** Name of the program; may be ''. */
  readonly name: string;
  /** UUID of the program; '': none. */
  readonly appId: string;
  /** Where the browser is sent with the password; null: it is shown to the user. */
  readonly success: URL | null;
  /** Where the browser is sent after a refusal; null: nowhere. */
  readonly refused: URL | null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Schemes of programs: a domain backwards (RFC 8252), or one word before an authority. */
const OWN = /^(?:[a-z][a-z\d]*(?:\.[a-z\d][a-z\d-]*)+:|[a-z][a-z\d]{2,}:\/\/)/i;
/** Single words that browsers, operating systems or other programs already give a meaning. */
const TAKEN = new Set(
  (
    'about blob brave chrome cid content data dict dns edge facetime feed feeds file filesystem finger ftp ftps geo git gopher hcp help imap ' +
    'intent irc ircs its jar javascript ldap ldaps livescript magnet mailto mhtml mid mms mocha modem news nfs nntp opera pop res resource ' +
    'rlogin rtsp sftp shell shortcut shttp sip sips skype smb sms smsto ssh steam svn tel telnet tftp tn3270 unc urn vbs vbscript vivaldi vnc ' +
    'wais webcal wss wyciwyg xmpp'
  ).split(' '),
);
/** Hosts that stay one source in a security policy. */
const HOST = /^[a-z\d.:[\]-]+$/;

/** Reads a query; returns a sentence if the wish cannot be granted. */
export function authorizationRequestIn(query: URLSearchParams): AuthorizationRequest | string {
  const sent = (name: string) => (query.get(name) ?? '').trim();
  const appId = sent('app_id').toLowerCase();
  if (appId !== '' && !UUID.test(appId)) return 'The application ID must be a UUID.';
  const success = addressIn(sent('success_url'));
  const refused = addressIn(sent('reject_url'));
  if (typeof success === 'string') return success;
  if (typeof refused === 'string') return refused;
  const name = sent('app_name').slice(0, 200);
  return { name, appId, success, refused: refused ?? (success && withParameters(success, { success: 'false' })) };
}

export function withParameters(address: URL, parameters: Readonly<Record<string, string>>): URL {
  const made = new URL(address);
  for (const [name, value] of Object.entries(parameters)) made.searchParams.set(name, value);
  return made;
}

/** The source for `form-action` that lets a browser follow a redirect to an address. */
export function formTarget({ protocol, origin }: URL): string {
  return origin === 'null' ? protocol : origin;
}

function addressIn(sent: string): URL | string | null {
  if (sent === '') return null;
  const address = URL.parse(sent);
  if (address === null || !/^[a-z][a-z\d+.-]*:/i.test(sent)) {
    return 'The URL to return to must be an absolute address.';
  }
  const { protocol, hostname } = address;
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (isWeb ? !HOST.test(hostname) : !OWN.test(address.href) || TAKEN.has(protocol.slice(0, -1))) {
    return 'The URL to return to must not be of this kind.';
  }
  // The address will contain the password. Programs on the user's own machine have no certificates.
  return protocol === 'http:' && !isLoopback(hostname)
    ? 'The URL to return to must be served over a secure connection.'
    : address;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
