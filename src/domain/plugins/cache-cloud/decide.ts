import { age, asksForActivation, type Cloud, day, statusService } from './area.ts';
import type { CloudEvent } from './events.ts';

const activate = notice('error', 'The cloud no longer knows this site. Please activate it again.');
const delivered = notice('success', 'The site is delivered by the network now.');

/** Takes note of what the site is to the cloud; nothing when that is known, and said where it has to be. */
export function setStatus(cloud: Cloud, status: Cloud['status']): readonly CloudEvent[] {
  const set: readonly CloudEvent[] = cloud.status === status ? [] : [{ type: 'CloudStatusSet', data: { status } }];
  if (status === null) return cloud.notices.some(asksForActivation) ? set : [...set, activate];
  return status === 'cdn' && set.length > 0 ? [...set, delivered] : set;
}

export function expectAlias(url: string): readonly CloudEvent[] {
  return [{ type: 'AliasPending', data: { url } }];
}

/**
 * Accepts an address that has waited for less than a day; null when it did not. `current`: the address that the site
 * has; another one goes on waiting.
 */
export function confirmAlias(
  { pending }: Cloud,
  url: string,
  { at, current }: { readonly at: string; readonly current: string },
): readonly CloudEvent[] | null {
  if (!pending.some((one) => one.url === url && age(one.at, at) < day)) return null;
  return url === current ? [{ type: 'AliasConfirmed', data: { url } }] : [];
}

/** Takes note of what came beside a callback; usage that is known is no news. */
export function takeNotes(
  cloud: Cloud,
  service: string,
  { notices, usage }: { readonly notices: readonly Notice[]; readonly usage: Cloud['usage'][string] | undefined },
): readonly CloudEvent[] {
  const said = notices.map(({ level, text }): CloudEvent => {
    return { type: 'CloudNoticeReceived', data: { level, text, service } };
  });
  const known = Object.hasOwn(cloud.usage, service) ? JSON.stringify(cloud.usage[service]) : undefined;
  if (usage === undefined || JSON.stringify(usage) === known) return said;
  return [...said, { type: 'CloudUsageReported', data: { service, usage } }];
}

export type Notice = Pick<Extract<CloudEvent, { type: 'CloudNoticeReceived' }>['data'], 'level' | 'text'>;

function notice(level: Notice['level'], text: string): CloudEvent {
  return { type: 'CloudNoticeReceived', data: { level, text, service: statusService } };
}
