import { z } from 'zod';

/** Who ordered an erasure, and why: the part that all events of such orders have in common. */
export const orderFields = {
  by: z.int().min(1).nullable().describe('user who ordered it; null: not recorded'),
  reason: z.string().max(500).describe('why, as that user said; empty: not recorded. It stays: it should name nobody'),
};

export interface ErasureReason {
  readonly by: number | null;
  readonly reason: string;
}

/** Upcaster of orders from before accounts gave them. */
export const notSaid = (data: Record<string, unknown>): Record<string, unknown> => ({ by: null, reason: '', ...data });
