import type { Refusal } from '#domain/kernel/refusal.ts';

export type MaybeAsync<T> = T | Refusal | Promise<T | Refusal>;
