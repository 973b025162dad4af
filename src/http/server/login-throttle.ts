import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { AttemptKind } from './tracing.ts';

export interface Attempt {
  /** Seconds until the attempt is allowed; 0: now. */
  readonly wait: number;
  readonly failed: () => void;
  readonly succeeded: () => void;
}

export interface LoginThrottle {
  readonly login: (address: string, login: string) => Attempt;
  readonly token: (address: string) => Attempt;
  /** Passwords of protected posts; null: a password tried on all of them. */
  readonly post: (address: string, post: number | null) => Attempt;
}

/** The attempts of one request: a failure reported twice counts once. */
export function postAttempts(loginThrottle: LoginThrottle, address: () => string): (post: number | null) => Attempt {
  let made: Map<number | null, Attempt> | undefined;
  return (post) => {
    made ??= new Map();
    const attempt = made.get(post) ?? once(loginThrottle.post(address(), post));
    made.set(post, attempt);
    return attempt;
  };
}

function once(attempt: Attempt): Attempt {
  let counted = false;
  const failed = () => {
    if (!counted) attempt.failed();
    counted = true;
  };
  return { ...attempt, failed };
}

export interface GuessWitness {
  readonly failed: (kind: AttemptKind, about: { readonly address: string; readonly [name: string]: unknown }) => void;
  readonly refused: (kind: AttemptKind) => void;
}

export interface GuessOptions {
  /** Wrong passwords allowed within a quarter of an hour; 0: no limit. */
  readonly limit: number;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  readonly witness: GuessWitness;
}

interface Bucket {
  readonly level: number;
  readonly at: number;
}

type Buckets = LRUCache<string, Bucket>;

const SPAN = 15 * 60 * 1000;
/** Buckets of each kind; about 2 MiB in all, reserved only when they are there. The least recently used are dropped first. */
const bounds = { maxSize: 10_000, sizeCalculation: () => 1 };

export function createLoginThrottle({ limit, clock, witness }: GuessOptions): LoginThrottle {
  const buckets = (): Buckets => new LRUCache<string, Bucket>(bounds);
  const [addresses, logins, posts] = [buckets(), buckets(), buckets()];
  const homes = new LRUCache<string, true>(bounds);
  const levelOf = (kept: Buckets, key: string) => {
    const bucket = kept.get(key);
    return bucket === undefined ? 0 : Math.max(0, bucket.level - ((clock() - bucket.at) * limit) / SPAN);
  };
  const waitFor = (kept: Buckets, key: string) => {
    const over = levelOf(kept, key) + 1 - limit;
    return limit === 0 || over <= 0 ? 0 : Math.ceil((over * SPAN) / limit / 1000);
  };
  const fill = (kept: Buckets, key: string) => kept.set(key, { level: levelOf(kept, key) + 1, at: clock() });
  const attempt = (kind: AttemptKind, wait: number, then: Omit<Attempt, 'wait'>): Attempt => {
    if (wait > 0) witness.refused(kind);
    return { wait, ...then };
  };
  return {
    login: (address, login) => {
      const [from, name] = [networkOf(address), login.trim().toLowerCase()];
      const home = `${from} ${name}`;
      const wait = Math.max(waitFor(addresses, from), homes.has(home) ? 0 : waitFor(logins, name));
      return attempt('login', wait, {
        succeeded: () => homes.set(home, true),
        failed: () => {
          fill(addresses, from);
          fill(logins, name);
          witness.failed('login', { address, login: login.slice(0, 100) });
        },
      });
    },
    token: (address) => {
      const from = networkOf(address);
      return attempt('login', waitFor(addresses, from), {
        succeeded: () => undefined,
        failed: () => {
          fill(addresses, from);
          witness.failed('login', { address, token: true });
        },
      });
    },
    post: (address, post) => {
      const key = `${networkOf(address)} ${post ?? '*'}`;
      return attempt('post', waitFor(posts, key), {
        succeeded: () => undefined,
        failed: () => {
          fill(posts, key);
          witness.failed('post', { address, ...(post === null ? {} : { post }) });
        },
      });
    },
  };
}

/** An IPv6 client has a network of 2^64 addresses, which counts as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}
