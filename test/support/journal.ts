import { openNodeFile } from '#node/node-file.ts';
import { type JournalOptions, type OriginJournal, openJournal } from '#node/origins.ts';

/** The journal of a data directory, in a file that closes with it. */
export function openTestJournal({
  dataDir,
  ...options
}: Omit<JournalOptions, 'file'> & { dataDir: string }): OriginJournal {
  const file = openNodeFile(dataDir, options.reporter);
  const journal = openJournal({ file, ...options });
  return {
    ...journal,
    close() {
      journal.close();
      file.close();
    },
  };
}
