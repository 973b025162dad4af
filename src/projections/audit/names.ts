import { decodeReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { codec } from '#catalogue/events.ts';
import { entryKinds } from '#domain/entry/kinds.ts';
import { entryStream } from '#domain/entry/state.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import { mediaStream } from '#domain/media/state.ts';
import { migrations } from '#domain/migration/area.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import type { UserAdded } from '#domain/user/events.ts';
import { userStream } from '#domain/user/state.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import type { History } from './history.ts';
import { type Archive, search } from './search.ts';
import { briefly, textNamesOf, textsBefore } from './texts.ts';

export interface Thing {
  readonly stream: string;
  /** `post`, `page`, `media item`, `category`, `tag`, `account`, `site` …; the area of the stream if no better word exists. */
  readonly kind: string;
  readonly id: number | null;
  /** Its present title, or the last one if it was deleted; empty if it has none or it has been erased. */
  readonly title: string;
}

interface Sort {
  readonly kind?: string;
  readonly taxonomy?: string;
}

interface Known extends Sort {
  readonly title: string;
}

/** Maximum number of names kept. */
const maxKept = 20_000;
/** Maximum length of a comment's text used as its name. */
const maxWords = 60;

/**
 * Names of items and users, read from the log, so that deleted ones have names, too. Look-ups are kept, so an instance serves one answer.
 */
export class AuditNames {
  readonly #log: History;
  readonly #known: (stream: string) => Known | undefined;
  readonly #things = new Map<string, Thing>();
  readonly #logins = new Map<number, string>();
  #imports: ReadonlyMap<number, string> | undefined;

  /** `known`: what is known of a stream without its events; spares reading them. */
  constructor(log: History, known: (stream: string) => Known | undefined = () => undefined) {
    this.#log = briefly(log);
    this.#known = known;
  }

  thing(stream: string): Thing {
    return remember(this.#things, stream, () => this.#lookUp(stream));
  }

  title(stream: string): string {
    const { kind, id, title } = this.thing(stream);
    return title === '' ? [kind, id ?? ''].join(' ').trim() : `“${title}”`;
  }

  itemStream(id: number): string {
    return itemStream(id, this.#log);
  }

  /** The login of a user, or a description if there is none. */
  login(actor: number | null): string {
    if (actor === null) return 'the system';
    if (actor === 0) return 'somebody not logged in';
    return remember(this.#logins, actor, () => {
      const [first] = this.#log.read({ stream: userStream(actor), limit: 1 });
      if (first === undefined) return `user ${actor}`;
      return first.sealed === null
        ? `erased user ${actor}`
        : (codec.decode(first) as EventOf<typeof UserAdded>).data.login;
    });
  }

  /** The site whose import made a commit; null: it was written here. */
  importedFrom({ position, stream, commit }: Pick<StoredEvent, 'position' | 'stream' | 'commit'>): string | null {
    this.#imports ??= importsIn(this.#log);
    return stream === migrations.stream ? null : (this.#imports.get(position - commit.i) ?? null);
  }

  #lookUp(stream: string): Thing {
    const [area = '', number] = stream.split('-');
    const id = number !== undefined && /^\d+$/.test(number) ? Number(number) : null;
    const known = this.#known(stream);
    if (known !== undefined) return { stream, kind: kindOf(area, known), id, title: plainText(known.title) };
    const [first] = this.#log.read({ stream, limit: 1 });
    if (first === undefined) return { stream, kind: area, id, title: '' };
    return { stream, kind: kindOf(area, JSON.parse(first.data) as Sort), id, title: this.#titleOf(first) };
  }

  #titleOf(first: StoredEvent): string {
    if (first.stream.startsWith('comment-')) return this.#wordsOf(first.stream);
    if (first.stream.startsWith('plugin-')) return first.stream.slice('plugin-'.length);
    if (first.stream.startsWith('user-')) return this.login(Number(first.stream.slice('user-'.length)));
    const names = textNamesOf(first.stream, this.#log).filter((name) => name === 'title' || name === 'name');
    const [title = ''] = Object.values(textsBefore(first.stream, Number.POSITIVE_INFINITY, names, this.#log));
    return plainText(title);
  }

  #wordsOf(stream: string): string {
    const { content = '' } = textsBefore(stream, Number.POSITIVE_INFINITY, ['content'], this.#log);
    const words = plainText(content);
    return words.length > maxWords ? `${words.slice(0, maxWords).toWellFormed()}…` : words;
  }
}

/** The stream of an entry or media item: they share one sequence of ids. */
export function itemStream(id: number, log: History): string {
  const [media] = log.read({ stream: mediaStream(id), limit: 1 });
  return media === undefined ? entryStream(id) : mediaStream(id);
}

/** The newest account with a login, or null. Searches all accounts. */
export function actorNamed(login: string, archive: Archive): number | null {
  for (const event of search({ types: ['UserAdded'], direction: 'backwards' }, archive)) {
    if (event === null) continue;
    const { data } = codec.decode(event) as EventOf<typeof UserAdded>;
    if (data.login === login && event.sealed !== null) return data.id;
  }
  return null;
}

/** A title as plain text in one line. */
export function plainText(text: string): string {
  return decodeReferences(stripMarkup(text)).replace(/\s+/g, ' ').trim();
}

const kinds: Readonly<Record<string, string>> = { media: 'media item', user: 'account', site: 'site' };

function kindOf(area: string, { kind, taxonomy }: Sort): string {
  if (area === 'entry') return entryKinds.find(({ name }) => name === kind)?.type.singular.toLowerCase() ?? area;
  if (area === 'term') return allTermKinds.find(({ name }) => name === taxonomy)?.type.singular.toLowerCase() ?? area;
  if (area === 'comment') return kind ?? area;
  return kinds[area] ?? area;
}

function remember<K, V>(kept: Map<K, V>, key: K, lookUp: () => V): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const value = lookUp();
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, value);
  return value;
}

/** The site behind each commit that imported something, by the position at which the commit begins. */
function importsIn(log: History): ReadonlyMap<number, string> {
  const origins = new Map<number, string>();
  const found = new Map<number, string>();
  for (const { type, position, commit, data } of log.read({ stream: migrations.stream, sealed: 'none' })) {
    // Lists of items are long, and only the migration is asked for.
    const run = Number(/"run":(\d+)/.exec(data)?.[1]);
    if (type === 'MigrationBegan') origins.set(run, (JSON.parse(data) as { readonly origin: string }).origin);
    else found.set(position - commit.i, origins.get(run) ?? '');
  }
  return found;
}
