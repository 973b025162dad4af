import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Reads a small JSON file; returns undefined if it is missing or unreadable. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically. */
export function writeJsonFile(path: string, value: unknown): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
}
