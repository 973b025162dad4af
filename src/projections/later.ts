import type { Refusal } from '#domain/kernel/refusal.ts';

/** An answer that may take its time, or not be given. */
export type Later<T> = T | Refusal | Promise<T | Refusal>;
