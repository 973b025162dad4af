import type { Hook } from '#domain/hooks/area.ts';
import type { HookProgress, Progress } from '#domain/hooks/progress.ts';

export const hookStates = ['sending', 'failing', 'stopped', 'erased', 'lost', 'elsewhere'] as const;

export interface HookState {
  /** `erased`: its address was erased; `lost`: it is not known where to continue; `elsewhere`: this node sends nothing. */
  readonly state: (typeof hookStates)[number];
  /** Position up to which the receiver has all its changes; null: not known here. */
  readonly position: number | null;
  /** ISO 8601 UTC. */
  readonly failingSince: string | null;
  readonly attempts: number;
  readonly error: string;
  readonly deliveredAt: string | null;
}

interface Known {
  readonly progress: Pick<HookProgress, 'of'>;
  readonly isOn: boolean;
}

export function stateOfHook({ id, address, stopped }: Hook, known: Known | null): HookState {
  const kept = known?.isOn === true ? keptOf(id, known.progress) : null;
  const { failingSince = null, attempts = 0, error = '', deliveredAt = null } = kept ?? {};
  const about = { attempts, error, failingSince: timeOf(failingSince), deliveredAt: timeOf(deliveredAt) };
  const position = kept?.position ?? null;
  if (stopped !== null) return { state: 'stopped', position, ...about };
  if (address === '') return { state: 'erased', position, ...about };
  if (known?.isOn !== true) return { state: 'elsewhere', position, ...about };
  if (kept === null) return { state: 'lost', position, ...about };
  return { state: failingSince === null ? 'sending' : 'failing', position, ...about };
}

/** Null also if the file cannot be read at the moment, so that requests still succeed. */
function keptOf(id: number, progress: Known['progress']): Progress | null {
  try {
    return progress.of(id);
  } catch {
    return null;
  }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
