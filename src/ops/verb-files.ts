import type { Verb } from './verb.ts';

type Load = () => Promise<readonly Verb[]>;

/** Loaders of verb files, by the first word of the verb. */
const files: ReadonlyMap<string, Load> = new Map(
  Object.entries<Load>({
    demo: async () => [(await import('./demo.ts')).demo],
    status: async () => [(await import('./status.ts')).status],
    user: async () => (await import('./user.ts')).userVerbs,
    media: async () => (await import('./media.ts')).mediaVerbs,
    tools: async () => (await import('./tools.ts')).toolsVerbs,
    hooks: async () => (await import('./hooks.ts')).hookVerbs,
    clock: async () => (await import('./clock.ts')).clockVerbs,
    'event-store': async () => (await import('./event-store.ts')).eventStoreVerbs,
    verify: async () => (await import('./verify.ts')).verifyVerbs,
    export: async () => (await import('./export.ts')).exportVerbs,
    import: async () => (await import('./import.ts')).importVerbs,
    migrate: async () => (await import('./migrate.ts')).migrateVerbs,
    follow: async () => [(await import('./migrate.ts')).followVerb],
    backup: async () => (await import('./backup.ts')).backupVerbs,
    restore: async () => (await import('./restore.ts')).restoreVerbs,
    undo: async () => [(await import('./undo.ts')).undo],
    hold: async () => (await import('./holds.ts')).holdVerbs,
    erase: async () => (await import('./erase.ts')).eraseVerbs,
    rebuild: async () => [(await import('./rebuild.ts')).rebuild],
    prepare: async () => [(await import('./prepare.ts')).prepare],
    replay: async () => [(await import('./replay.ts')).replay],
    prove: async () => (await import('./prove.ts')).proveVerbs,
    'verify-proof': async () => (await import('./verify-proof.ts')).verifyProofVerbs,
    witness: async () => (await import('./signing.ts')).witnessVerbs,
    checkpoint: async () => (await import('./signing.ts')).checkpointVerbs,
    audit: async () => [(await import('./audit.ts')).audit],
  }),
);

export async function loadAll(): Promise<readonly Verb[]> {
  return (await Promise.all([...files.values()].map((load) => load()))).flat();
}

/**
 * Loads the verbs for a command line: those of the file with the typed verb, or with the one that help is asked for. Loads all only for help
 * on all, completion and unknown verbs, because that takes longer than many a verb.
 */
export async function loadFor(argv: readonly string[]): Promise<readonly Verb[]> {
  const [first = ''] = argv;
  if (first === '--version') return [];
  if (first === 'help') return loadFor(argv.slice(1));
  const found = (await files.get(first)?.()) ?? [];
  return found.some(({ name }) => isTyped(name, argv)) ? found : loadAll();
}

export function isTyped(name: string, argv: readonly string[]): boolean {
  return name === argv.slice(0, name.split(' ').length).join(' ');
}
