import type { ItemRecord } from './records.ts';

/** Names of files that every system can have, no two of which differ only by case. */
export interface FolderFileNames {
  /** Of the text of an item. `ending`: without a dot. */
  item(record: ItemRecord, ending: string): string;
  /** Of the bytes of an attachment. */
  file(record: ItemRecord): string;
}

/** Names that are devices on some systems, with any ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
const longestPart = 50;
const mostFolders = 8;

export function createFileNames(): FolderFileNames {
  const taken = new Set<string>();
  const unique = (folders: readonly string[], name: string, ending: string): string => {
    for (let i = 1; ; i++) {
      const path = [...folders, `${i === 1 ? name : `${name}-${i}`}.${ending}`].join('/');
      const key = path.normalize('NFKC').toLowerCase().normalize('NFKC');
      if (taken.has(key)) continue;
      taken.add(key);
      return path;
    }
  };
  return {
    item: (record, ending) => {
      const name = namePart(record.slug) || String(record.id);
      if (record.type === 'post') {
        const day = /^\d{4}-\d\d-\d\d/.exec(record.date ?? '')?.[0];
        return unique(['posts'], day === undefined ? name : `${day}-${name}`, ending);
      }
      if (record.type !== 'page') return unique([folderOf(record.type)], name, ending);
      const above = pathOf(record.link)
        .slice(0, -1)
        .map(namePart)
        .filter((part) => part !== '');
      return unique(['pages', ...above.slice(0, mostFolders)], name, ending);
    },
    file: ({ id, file }) => {
      const parts = (file?.path || pathOf(file?.url ?? '').join('/')).split('/').filter((part) => part !== '');
      const [, own = '', ending = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,10}))?$/s.exec(parts.at(-1) ?? '') ?? [];
      const above = parts
        .slice(0, -1)
        .map(namePart)
        .filter((part) => part !== '');
      return unique(['uploads', ...above.slice(0, mostFolders)], namePart(own) || String(id), ending || 'bin');
    },
  };
}

/** Folder of a type; the folders that have something else keep their names. */
function folderOf(type: string): string {
  const name = namePart(type) || 'items';
  if (name === 'attachment') return 'media';
  return ['posts', 'pages', 'media', 'data', 'uploads'].includes(name.toLowerCase()) ? `${name}-type` : name;
}

/** Parts of the path of an address. */
function pathOf(address: string): readonly string[] {
  const path = URL.canParse(address, 'http://any') ? new URL(address, 'http://any').pathname : '';
  return path.split('/').filter((part) => part !== '');
}

/** Letters, numbers, hyphens and underscores of a text, with no dots, so that a folder is never called as a file. */
function namePart(text: string): string {
  const parts =
    decoded(text)
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const name = [...parts.join('-')].slice(0, longestPart).join('');
  return devices.test(name) ? `${name}_` : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
