import type { KindIndex } from './kind-index.ts';
import { compareAcross, type KeptOrder } from './order.ts';

export interface Member {
  readonly index: KindIndex;
  readonly ord: number;
}

export function membersNamed(index: KindIndex, ords: readonly number[]): Member[] {
  return ords.map((ord) => ({ index, ord }));
}

export function memberId({ index, ord }: Member): number {
  return index.columns.id[ord]!;
}

export function joined(
  lists: readonly (readonly Member[])[],
  { by, descending }: { readonly by: KeptOrder; readonly descending: boolean },
): readonly Member[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length < 2) return filled[0] ?? [];
  const compare = (a: Member, b: Member) => compareAcross(by, a.index.columns, b.index.columns)(a.ord, b.ord);
  return filled.flat().sort(descending ? (a, b) => compare(b, a) : compare);
}
