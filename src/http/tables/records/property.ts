import { z } from 'zod';
import type { Context } from '../../engine/types.ts';

/** Where a property is shown, and whether only the server sets it. */
export interface Shown {
  readonly context: readonly Context[];
  readonly format?: string;
  readonly readonly?: true;
  /** Only records have it whose request names it. */
  readonly onRequest?: true;
}

export const everywhere: readonly Context[] = ['view', 'edit', 'embed'];
export const whole: readonly Context[] = ['view', 'edit'];
export const editing: readonly Context[] = ['edit'];

export function described<T extends z.ZodType>(schema: T, description: string, shown: Shown): T {
  return schema.meta({ ...schema.meta(), description, ...shown }) as T;
}

export const raw = (what: string, context: readonly Context[]) =>
  described(z.string(), `${what}, as it exists in the store.`, { context });

export const rendered = (what: string, context: readonly Context[]) =>
  described(z.string(), `${what}, transformed for display.`, { context, readonly: true });

export const address = () => z.string().meta({ format: 'uri' });

export const dateTime = () => z.string().meta({ format: 'date-time' });
