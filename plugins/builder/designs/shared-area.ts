import { defineArea, defineEvent, type EventOf, limited, z } from 'palimpsest/plugin';

const share = limited.word.describe('digest of the address');

const DesignShared = defineEvent({
  type: 'DesignShared',
  summary: 'A design can be seen for some time by whoever has its address, of which only a digest is recorded.',
  schema: z.object({
    share,
    design: limited.word.describe('id of the design'),
    until: limited.word.describe('UTC, ISO 8601 with milliseconds'),
  }),
});

const DesignWithdrawn = defineEvent({
  type: 'DesignWithdrawn',
  summary: 'A design that was shared can no longer be seen at its address.',
  schema: z.object({ share }),
});

type ShareEvent = EventOf<typeof DesignShared> | EventOf<typeof DesignWithdrawn>;

/** The design at a shared address and its expiry; nothing if `design` is ''. */
export interface SharedDesign {
  readonly design: string;
  readonly until: string;
}

const nothing: SharedDesign = { design: '', until: '' };

export const sharedDesigns = defineArea({
  name: 'builder-shares',
  events: [DesignShared, DesignWithdrawn],
  empty: nothing,
  keysOf: ({ data }) => [data.share],
  evolve: (_, event) =>
    event.type === 'DesignShared' ? { design: event.data.design, until: event.data.until } : nothing,
});

/** Milliseconds for which a design is shared. */
export const sharedFor = 7 * 24 * 60 * 60 * 1000;

/** Shares a design; no events while more than half of its time is left. */
export function shareDesign(
  before: SharedDesign,
  { share: address, design, now }: { readonly share: string; readonly design: string; readonly now: number },
): readonly ShareEvent[] {
  if (before.design === design && Date.parse(before.until) - now > sharedFor / 2) return [];
  return [{ type: 'DesignShared', data: { share: address, design, until: new Date(now + sharedFor).toISOString() } }];
}

export function withdrawDesign(before: SharedDesign, address: string): readonly ShareEvent[] {
  return before.design === '' ? [] : [{ type: 'DesignWithdrawn', data: { share: address } }];
}

/** Whether a design is available at its address. `now`: milliseconds since 1970. */
export function isShared({ design, until }: SharedDesign, now: number): boolean {
  return design !== '' && Date.parse(until) > now;
}
