import { z } from 'zod';

/** Some endpoints send a map without members as an empty list. */
export const emptyListSchema = z.array(z.unknown()).max(0);
export const openMap = z.union([z.record(z.string(), z.unknown()), emptyListSchema]);
