import type { PasswordUse, PasswordUses } from '#domain/user/state.ts';
import type { Reporter } from '#process/reporter.ts';
import type { ChangeNotifier } from '#projections/kernel/changes.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import type { NodeFile } from './node-file.ts';
import { attempting } from './noting.ts';

export interface UsesOptions {
  readonly file: NodeFile;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Days for which addresses are kept; 0 keeps none. */
  readonly addressDays: number;
  readonly known: () => readonly string[];
  readonly reporter: Reporter;
}

export interface UsesFile extends PasswordUses {
  tidy(): void;
}

const day = 24 * 60 * 60 * 1000;

/** Keeps uses of application passwords beside the log. */
export function openUses({ file, clock, addressDays, known, reporter }: UsesOptions): UsesFile {
  const noted = new Map<string, number>();
  const attempt = attempting(reporter);
  const lookUp = (password: string): PasswordUse | null => {
    const [row] = file.rows('uses', 'WHERE password = ?', password);
    return row === undefined ? null : { at: Number(row['at']), address: row['address'] as string | null };
  };
  return {
    note: (password, address) => {
      const now = clock();
      const last = noted.get(password) ?? attempt(() => lookUp(password)?.at, undefined) ?? Number.NEGATIVE_INFINITY;
      noted.set(password, last);
      if (now - last < day) return;
      noted.set(password, now);
      const from = addressDays === 0 ? null : address();
      attempt(() => file.put('uses', password, now, from), undefined);
    },
    of: (password) => attempt(() => lookUp(password), null),
    tidy: () =>
      attempt(() => {
        const ids = new Set(known());
        for (const id of noted.keys()) if (!ids.has(id)) noted.delete(id);
        file.remove('uses', 'WHERE password NOT IN (SELECT value FROM json_each(?))', JSON.stringify([...ids]));
        const old = ['WHERE address IS NOT NULL AND at < ?', clock() - addressDays * day] as const;
        for (const { password, at } of file.rows('uses', ...old)) file.put('uses', String(password), Number(at), null);
        // Damaged rows are left.
        file.remove('uses', ...old);
        // Otherwise addresses stay readable in the file.
        file.wipe();
      }, undefined),
  };
}

export interface Watched {
  readonly uses: Pick<UsesFile, 'tidy'>;
  readonly cacheVersions: CacheVersions;
  readonly notifier: ChangeNotifier;
}

/** Removes uses as soon as their accounts are erased, until the returned function is called. */
export function watchAccounts({ uses, cacheVersions, notifier }: Watched): () => void {
  let accounts = -1;
  const look = () => {
    const now = cacheVersions.of('credentials');
    if (now !== accounts) uses.tidy();
    accounts = now;
  };
  look();
  return notifier.listen(look);
}
