import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ServerParts } from '#ops/server/parts.ts';
import type { ProgramPart } from '#process/parts.ts';
import { patience } from './patience.ts';

export const fault = new Error('this part does not work');
const fails = () => {
  throw fault;
};

/** The parts, of which one opens and then fails. */
export function failing<All>(parts: readonly ProgramPart<All>[], name: keyof All): ProgramPart<All>[] {
  return parts.map((part) => {
    const open: ProgramPart<All>['open'] = async (opened, scope) => {
      await part.open(opened, scope);
      fails();
    };
    return part.name === name ? { ...part, open } : part;
  });
}

/** The parts, of which one fails to end. */
export function unending<All>(parts: readonly ProgramPart<All>[], name: keyof All): ProgramPart<All>[] {
  return parts.map((part) => {
    const open: ProgramPart<All>['open'] = (opened, scope) => {
      scope.defer(fails);
      return part.open(opened, scope);
    };
    return part.name === name ? { ...part, open } : part;
  });
}

/** What this process has open below a folder, and what keeps it running. */
export function left(folder: string): readonly string[] {
  const files = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
  const running = process.getActiveResourcesInfo().filter((name) => /Timeout|Server|Process/.test(name));
  return [...files.filter((path) => path.startsWith(folder)), ...running];
}

/** Waits until nothing is left that was not there before. Looks between its own pauses, because those are timers, too. */
export async function expectNothingLeft(folder: string, before: readonly string[]): Promise<void> {
  const added = () => {
    const known = [...before];
    return left(folder).filter((name) => !known.includes(name) || known.splice(known.indexOf(name), 1).length === 0);
  };
  for (let waited = 0; added().length > 0 && waited < patience; waited += 20) await sleep(20);
  expect(added()).toEqual([]);
}

/** Settings of a server with a part. Readers only where it matters, because a thread takes as long to start as the rest. */
export function serverSettings(folder: string, name: keyof ServerParts): Record<string, string> {
  const readers = name === 'readers' ? '1' : '0';
  return { DATA_DIR: folder, PORT: '0', METRICS_PORT: '0', READERS: readers, STOP_DELAY: '0', LOG_LEVEL: 'silent' };
}
