import { z } from 'zod';

/** What answers are made of, for the documentation. */

/** A map without members is sent as an empty list in some places. */
export const emptyList = z.array(z.unknown()).max(0);
export const openMap = z.union([z.record(z.string(), z.unknown()), emptyList]);
