import { z } from 'zod';

/** A map without members is sent as an empty list in some places. */
export const emptyList = z.array(z.unknown()).max(0);
export const openMap = z.union([z.record(z.string(), z.unknown()), emptyList]);
