import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { filesOf } from '#http/app/host.ts';
import { fileKeyOf } from '#media/files.ts';
import { FileCheck } from '#media/intact.ts';
import { openMedia } from '#media/open.ts';
import { openState } from '#node/past/open-state.ts';
import type { Outcome } from '../outcome.ts';
import { keptState } from '../replay.ts';
import { openThemeFonts } from '../theme-fonts.ts';
import type { VerbPlace } from '../verb.ts';
import { collectPages } from './collect.ts';
import { writeSite } from './write.ts';

export interface StaticSite {
  readonly folder: string;
  readonly address: string | null;
}

export async function exportPages(place: VerbPlace, { folder, address }: StaticSite): Promise<Outcome> {
  const { config } = place;
  const logPath = join(config.dataDir, 'log.db');
  if (!existsSync(logPath)) return { kind: 'unavailable', message: `there is no event log at ${logPath}` };
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    return { kind: 'refused', code: 'folder_not_empty', message: `there is something in ${folder}` };
  }
  const fonts = openThemeFonts(config.plugins.themes);
  const log = openSqliteStore({ path: logPath, readOnly: true });
  try {
    const { position } = log.head();
    const path = await keptState(place, { logPath, position });
    const state = openState({ log, path, position, present: join(config.dataDir, 'projections.db') });
    const task = place.progress({ name: 'making pages', total: 0, unit: 'pages' });
    try {
      const { reader } = state;
      const kept = await openMedia(config);
      const check = new FileCheck(kept, fileKeyOf, () => undefined);
      const find = filesOf({ reader, files: { check, read: (hash, part) => kept.read(fileKeyOf(hash), part) } });
      const collected = await collectPages(reader, { fonts, onPage: (done) => task.at(done) });
      const written = await writeSite(collected, { folder, address, model: reader, find, fonts });
      return { kind: 'done', value: { position, ...written } };
    } finally {
      task.end();
      state.close();
    }
  } finally {
    log.close();
  }
}
