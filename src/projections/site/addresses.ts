import type { AddressEvent } from '#domain/address/events.ts';
import { defineProjection } from '../kernel/define.ts';
import { statesOf } from '../kernel/states.ts';

/** The key of the digests of mail addresses. */
export const addresses = defineProjection(
  statesOf<string, AddressEvent>({
    name: 'address_key',
    version: 2,
    area: 'address',
    evolve: (key, { event }) => (event.type === 'AddressKeyMade' ? event.data.key : key),
  }),
);
