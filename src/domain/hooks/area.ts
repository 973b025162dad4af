import { defineArea } from '../plugins/area.ts';
import { type HookEvent, hookEvents, type StopReason } from './events.ts';

export interface Hook extends HookFilter {
  readonly id: number;
  readonly user: number;
  /** '': erased. */
  readonly address: string;
  readonly secret: string;
  /** The previous secret, and when it was replaced; null: none. */
  readonly former: { readonly secret: string; readonly at: string } | null;
  readonly stopped: { readonly why: StopReason; readonly at: string } | null;
}

/** What a hook is notified of; an empty list matches everything. */
export interface HookFilter {
  readonly resources: readonly string[];
  readonly changes: readonly string[];
  readonly statuses: readonly string[];
}

/** One hook, or under `onlyKey` what is known of all. */
export interface HookDocument {
  readonly hook: Hook | null;
  /** Highest id ever assigned; 0: none. */
  readonly last: number;
  readonly count: number;
}

const empty: HookDocument = { hook: null, last: 0, count: 0 };

export const hooks = defineArea({
  name: 'hooks',
  events: hookEvents,
  empty,
  keysOf: ({ type, data }) => {
    const counted = type === 'HookAdded' || type === 'HookRemoved';
    return counted ? ['', String(data.id)] : [String(data.id)];
  },
  evolve(document, event, { key, at }) {
    if (key === '') return counted(document, event);
    const hook = evolveHook(document.hook, event, at);
    return hook === null ? empty : { ...empty, hook };
  },
});

function counted(all: HookDocument, { type, data }: HookEvent): HookDocument {
  if (type === 'HookAdded') return { ...all, last: data.id, count: all.count + 1 };
  return type === 'HookRemoved' ? { ...all, count: all.count - 1 } : all;
}

function evolveHook(hook: Hook | null, { type, data }: HookEvent, at: string): Hook | null {
  if (type === 'HookAdded') {
    const { id, user, address, secret, resources, changes, statuses } = data;
    return { id, user, address, secret, former: null, resources, changes, statuses, stopped: null };
  }
  if (hook === null) return null;
  switch (type) {
    case 'HookChanged':
      return { ...hook, ...data };
    case 'HookAddressChanged':
      return { ...hook, address: data.address };
    case 'HookSecretReplaced':
      return { ...hook, secret: data.secret, former: { secret: hook.secret, at } };
    case 'HookStopped':
      return { ...hook, stopped: { why: data.why, at } };
    case 'HookStarted':
      return { ...hook, stopped: null };
    case 'HookRemoved':
      return null;
    default:
      return type satisfies never;
  }
}
