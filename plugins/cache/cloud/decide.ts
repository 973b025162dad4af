import { age, asksForActivation, type Cloud, day, statusService } from './area.ts';
import type { CloudEvent } from './events.ts';

const activate = notice('error', 'The cloud no longer knows this site. Please activate it again.');
const delivered = notice('success', 'The site is delivered by the network now.');

/** Records the status that the cloud reports for the site, with a notice if one is due; no events if neither is new. */
export function setStatus(cloud: Cloud, status: Cloud['status']): readonly CloudEvent[] {
  const set: readonly CloudEvent[] = cloud.status === status ? [] : [{ type: 'CloudStatusSet', data: { status } }];
  if (status === null) return cloud.notices.some(asksForActivation) ? set : [...set, activate];
  return status === 'cdn' && set.length > 0 ? [...set, delivered] : set;
}

export function expectAlias(url: string): readonly CloudEvent[] {
  return [{ type: 'AliasPending', data: { url } }];
}

/**
 * Confirms an address that has been pending for less than a day; null if it is not pending. `current`: the site's address; any other
 * address remains pending.
 */
export function confirmAlias(
  { pending }: Cloud,
  url: string,
  { at, current }: { readonly at: string; readonly current: string },
): readonly CloudEvent[] | null {
  if (!pending.some((one) => one.url === url && age(one.at, at) < day)) return null;
  return url === current ? [{ type: 'AliasConfirmed', data: { url } }] : [];
}

/** Records notices and usage that came with a callback; usage that is already known adds no event. */
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
