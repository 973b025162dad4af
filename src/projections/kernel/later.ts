import type { Refusal } from '#domain/kernel/refusal.ts';

export type Later<T> = T | Refusal | Promise<T | Refusal>;
