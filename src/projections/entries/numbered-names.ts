import type { TakenNumbers } from '#domain/kernel/numbering.ts';
import { numberSlug } from '#text/slug.ts';
import { type Bits, clearBit, grownBits, newBits, setBit } from '../kernel/bits.ts';

export interface NumberedName {
  readonly scope: string;
  readonly base: string;
  readonly own: string | undefined;
  readonly endings: (stem: string) => readonly string[];
}

/** Maximum number of names whose numbers are remembered; beyond it, all are forgotten. */
const max = 1000;
/** Higher numbers are not remembered. */
const highest = 1_000_000;
const maxDigits = 7;

/** Remembers which numbered slugs are taken, so that a popular name is not looked up number by number each time. */
export class NumberedNames {
  readonly #taken = new Map<string, Map<string, Bits>>();

  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  of({ scope, base, own, endings }: NumberedName): TakenNumbers {
    return {
      next: (from) => {
        for (let n = from; ; n = 10 ** String(n).length) {
          const stem = stemOf(base, n);
          const free = firstUnset(this.#bits(stem, scope), n);
          const mine = own === undefined ? 0 : numberIn(own, stem);
          const found = mine >= n && mine < free ? mine : free;
          if (stemOf(base, found) === stem) return found;
        }
      },
      note: (n) => this.#set(stemOf(base, n), scope, [n]),
      learn: () => {
        const stems = new Set(Array.from({ length: maxDigits }, (_, i) => stemOf(base, 10 ** i)));
        const found = [...stems].map((stem) => ({ stem, numbers: endings(stem).map(numberOf) }));
        // The first gap cannot be beyond this.
        const limit = 2 + found.reduce((sum, { numbers }) => sum + numbers.length, 0);
        for (const { stem, numbers } of found)
          this.#set(
            stem,
            scope,
            numbers.filter((n) => n <= limit),
          );
      },
    };
  }

  forget(slug: string): void {
    const [, stem = '', ending = ''] = /^(.*)-(\d+)$/s.exec(slug) ?? [];
    for (const bits of this.#taken.get(stem)?.values() ?? []) clearBit(bits, numberOf(ending));
  }

  clear(): void {
    this.#taken.clear();
  }

  #bits(stem: string, scope: string): Bits | undefined {
    return this.#taken.get(stem)?.get(scope);
  }

  #set(stem: string, scope: string, numbers: readonly number[]): void {
    const kept = numbers.filter((n) => n > 0 && n <= highest);
    if (kept.length === 0) return;
    if (!this.#taken.has(stem) && this.#taken.size === max) this.#taken.clear();
    const scopes = this.#taken.get(stem) ?? new Map<string, Bits>();
    const before = scopes.get(scope) ?? newBits(64);
    const needed = kept.reduce((a, b) => Math.max(a, b)) + 1;
    const bits = needed <= before.length * 32 ? before : grownBits(before, needed * 2);
    for (const n of kept) setBit(bits, n);
    scopes.set(scope, bits);
    this.#taken.set(stem, scopes);
  }
}

/** The base of a numbered slug, shortened if the slug would be too long. */
function stemOf(base: string, n: number): string {
  return numberSlug(base, n).slice(0, -`-${n}`.length);
}

/** The number after a stem; 0 if there is none. */
function numberIn(slug: string, stem: string): number {
  return slug.startsWith(`${stem}-`) ? numberOf(slug.slice(stem.length + 1)) : 0;
}

/** The number in a slug; 0 for anything else. */
function numberOf(ending: string): number {
  return /^[1-9]\d{0,8}$/.test(ending) ? Number(ending) : 0;
}

function firstUnset(bits: Bits | undefined, from: number): number {
  if (bits === undefined) return from;
  for (let word = from >>> 5; word < bits.length; word++) {
    const below = word === from >>> 5 ? 2 ** (from & 31) - 1 : 0;
    const free = ~(bits[word]! | below);
    if (free !== 0) return word * 32 + (31 - Math.clz32(free & -free));
  }
  return Math.max(from, bits.length * 32);
}
