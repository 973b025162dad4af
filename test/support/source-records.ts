import { join } from 'node:path';
import type {
  AuthorRecord,
  CommentRecord,
  ItemRecord,
  RevisionRecord,
  SiteRecord,
  SourceRecord,
  TermRecord,
} from '#wxr/records.ts';
import { writeFolderSite } from '#wxr/write-folder.ts';
import { temporaryDirectory } from './temporary.ts';

/** Records of a source with usual values in all fields but those that are given. */

export const sourceUrl = 'https://old.example';
const time = { date: '2019-03-04T10:00:00', dateGmt: '2019-03-04T09:00:00' };
const texts = { title: '', content: '', excerpt: '', footnotes: '' };

export function aSite(site: Partial<SiteRecord> = {}): SiteRecord {
  return {
    ...{ kind: 'site', generator: '', title: 'Old', description: '', language: 'en-US', url: sourceUrl },
    ...{ baseUrl: sourceUrl, timezone: 'Europe/Berlin', settings: {}, ...site },
  };
}

export function anAuthor(author: Pick<AuthorRecord, 'id' | 'login'> & Partial<AuthorRecord>): AuthorRecord {
  const { login } = author;
  return {
    ...{ kind: 'author', email: `${login}@old.example`, displayName: login, firstName: '', lastName: '', slug: login },
    ...{ url: '', description: '', roles: ['author'], ...author },
  };
}

export function aTerm(term: Pick<TermRecord, 'id' | 'slug'> & Partial<TermRecord>): TermRecord {
  const usual = { taxonomy: 'category', name: term.slug, description: '', parent: null, meta: [] };
  return { kind: 'term', ...usual, ...term };
}

export function anItem(item: Pick<ItemRecord, 'id'> & Partial<ItemRecord>): ItemRecord {
  const slug = item.slug ?? `item-${item.id}`;
  return {
    ...{ kind: 'item', type: 'post', status: 'publish', slug, ...texts, link: `${sourceUrl}/${slug}/` },
    ...{ guid: '', author: { id: 3, name: 'ada' }, ...time, modified: time.date, modifiedGmt: time.dateGmt },
    ...{ parent: 0, menuOrder: 0, commentStatus: 'open', pingStatus: 'open', password: '', sticky: false },
    ...{
      template: '',
      format: '',
      terms: [],
      featured: 0,
      file: null,
      menuItem: null,
      syncStatus: '',
      meta: [],
      ...item,
    },
  };
}

export function aRevision(revision: Pick<RevisionRecord, 'id' | 'of'> & Partial<RevisionRecord>): RevisionRecord {
  return { kind: 'revision', isAutosave: false, author: { id: 3, name: 'ada' }, ...time, ...texts, ...revision };
}

export function aComment(comment: Pick<CommentRecord, 'id' | 'of'> & Partial<CommentRecord>): CommentRecord {
  return {
    ...{ kind: 'comment', type: 'comment', status: 'approved', parent: 0, name: 'Reader', email: '', url: '', ip: '' },
    ...{ agent: '', author: {}, ...time, content: `Comment ${comment.id}`, meta: [], ...comment },
  };
}

/** A media item and where its file was. */
export function aFile(id: number, path: string, more: Partial<ItemRecord> = {}): ItemRecord {
  const url = `${sourceUrl}/wp-content/uploads/${path}`;
  const file = { url, path, type: 'image/png', altText: '', width: 0, height: 0, original: '', sizes: [] };
  return anItem({ id, type: 'attachment', status: 'inherit', file, ...more });
}

/** A folder with a site, as an export writes it. `bytes`: of each file. */
export async function folderOf(records: readonly SourceRecord[], bytes = Buffer.from('')): Promise<string> {
  const folder = join(temporaryDirectory(), 'site');
  async function* each() {
    yield* records;
  }
  await writeFolderSite(each(), {
    folder,
    form: 'json',
    file: async () =>
      (async function* () {
        yield bytes;
      })(),
  });
  return folder;
}
