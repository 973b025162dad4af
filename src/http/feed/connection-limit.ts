import type { Viewer } from '#domain/user/roles.ts';

export interface ConnectionLimits {
  readonly all: number;
  readonly anonymous: number;
  readonly each: number;
}

/** Takes a seat. Returns a function that gives it back (further calls do nothing), or null if none is free. */
export type ReserveConnection = (viewer: Viewer) => (() => void) | null;

export function createConnectionLimit(
  { all, anonymous, each }: ConnectionLimits,
  onTaken: (total: number) => void = () => undefined,
): ReserveConnection {
  const taken = new Map<number, number>();
  let total = 0;
  return ({ id }) => {
    const own = taken.get(id) ?? 0;
    if (total >= all || own >= (id === 0 ? anonymous : each)) return null;
    taken.set(id, own + 1);
    total += 1;
    onTaken(total);
    let sits = true;
    return () => {
      if (!sits) return;
      sits = false;
      total -= 1;
      onTaken(total);
      const left = (taken.get(id) ?? 1) - 1;
      if (left === 0) taken.delete(id);
      else taken.set(id, left);
    };
  };
}
