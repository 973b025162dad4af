import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname, userInfo } from 'node:os';
import { z } from 'zod';
import type { Origin } from '#domain/kernel/origin.ts';

export const operatorSchema = z.object({
  command: z.string().max(100),
  user: z.string().max(100),
  host: z.string().max(255),
  reason: z.string().max(500).optional(),
});

/** Who gave a command, where, and why if that was said. */
export type Operator = z.infer<typeof operatorSchema>;

interface Acting {
  readonly operator?: Operator | undefined;
  /** Notes the origin of a write beside the log; absent: origins are not kept. */
  readonly note?: ((origin: Origin) => void) | undefined;
}

const acting = new AsyncLocalStorage<Acting>();

/** Does work with what is added to the circumstances of the caller. */
export function actingWith<T>(more: Acting, work: () => T): T {
  return acting.run({ ...acting.getStore(), ...more }, work);
}

/** Who gave the command that is carried out; undefined if that is unknown. */
export function actingOperator(): Operator | undefined {
  return acting.getStore()?.operator;
}

export function thisOperator(command: string, reason: string | undefined): Operator {
  return { command, user: userName(), host: hostname(), ...(reason === undefined ? {} : { reason }) };
}

/** Notes beside the log that the present command has written a commit. */
export function noteCommand(commit: Pick<Origin, 'position' | 'correlationId'>): void {
  const { operator, note } = acting.getStore() ?? {};
  if (operator === undefined) return;
  const { command, user, host, reason } = operator;
  const why = reason === undefined ? '' : `: ${reason}`;
  note?.({ ...commit, address: host, via: `${user} by the command ${command}${why}` });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run with a number that has no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
