import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a small file of JSON says; undefined where there is none, or one that cannot be read. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces it whole: nobody ever reads half of one. */
export function writeJsonFile(path: string, value: unknown): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
}
