import type { AddressEvent } from '#domain/address/events.ts';
import type { ClockEvent } from '#domain/clock/events.ts';
import type { CommentEvent } from '#domain/comment/events.ts';
import type { CommentStatus } from '#domain/comment/vocabulary.ts';
import type { ErasureReason } from '#domain/kernel/erasure.ts';
import type { RequestEvent } from '#domain/request/events.ts';
import type { UndoEvent } from '#domain/undo/events.ts';

export type SummaryTexts = Readonly<Record<string, string>>;

export interface Titles {
  title(stream: string): string;
  itemStream(id: number): string;
  login(actor: number | null): string;
}

export interface EventSummary<D> {
  readonly label: string;
  readonly describe: (data: D, names: Titles) => string;
  /** The texts in the event, all of the item's or some; event types without it do not change texts. */
  readonly texts?: (data: D) => SummaryTexts;
  readonly beside?: true;
}

const commentTexts = textsNamed('content');

/** What a commit notes besides what it changes. */
export const noteTellings: {
  readonly [E in UndoEvent | ClockEvent | RequestEvent as E['type']]: EventSummary<E['data']>;
} = {
  ClockFoundBehind: {
    label: 'Clock behind the log',
    describe: ({ clock }) => `found the clock at ${plainTime(clock)} (UTC), behind the time of the log`,
  },

  CommitsUndone: {
    label: 'Undone',
    describe: ({ commits, left }) => {
      const some = commits.slice(0, 5).join(', ');
      const what = commits.length === 1 ? `the commit at position ${some}` : `the commits at positions ${some}`;
      const more = commits.length > 5 ? ` and ${commits.length - 5} more` : '';
      return `undid ${what}${more}${left === 0 ? '' : `; ${left} of their changes were left, because of later ones`}`;
    },
  },

  RequestAnswered: {
    label: 'Answer kept',
    describe: ({ status }) => `kept the answer (${status}) in case the request comes again`,
  },
};

export const commentTellings: {
  readonly [E in CommentEvent | AddressEvent as E['type']]: EventSummary<E['data']>;
} = {
  CommentWritten: {
    label: 'Comment written',
    describe: ({ kind, post, status, again }, names) =>
      `${again === true ? 'brought back' : 'wrote'} a ${kind} on ${titleOf(post, names)}${status === 'approved' ? '' : `; it is ${standings[status]}`}`,
    texts: commentTexts,
  },
  CommentSigned: {
    label: 'Author of a comment named',
    describe: (data) => `set ${named(data, 'name', 'email', 'url')}`,
  },
  CommentOriginNoted: {
    label: 'Origin of a comment noted',
    describe: () => 'was noted as the address and program that it came from',
  },
  CommentEdited: { label: 'Comment edited', describe: () => 'edited the words', texts: commentTexts },
  CommentChanged: { label: 'Comment changed', describe: (data) => `set ${pairs(data)}` },
  CommentApproved: { label: 'Comment approved', describe: () => 'approved it' },
  CommentHeld: { label: 'Comment held', describe: () => 'held it for approval' },
  CommentMarkedAsSpam: { label: 'Comment marked as spam', describe: () => 'marked it as spam' },
  CommentTrashed: { label: 'Comment moved to the trash', describe: () => 'moved to the trash' },
  CommentRestored: { label: 'Comment restored', describe: ({ status }) => `restored it; it is ${standings[status]}` },
  CommentDeleted: { label: 'Comment deleted', describe: () => 'deleted for good' },
  CommentErased: {
    label: 'Erased',
    describe: (order, names) => `had its words and all about its author erased${orderedBy(order, names)}`,
  },

  AddressKeyMade: { label: 'Key for addresses made', describe: () => 'made the key for digests of mail addresses' },
  AddressErased: {
    label: 'Erased',
    describe: (order, names) => `had everything under a mail address erased${orderedBy(order, names)}`,
  },
};

/** Who ordered an erasure and why, as the end of a sentence. */
export function orderedBy({ by, reason }: ErasureReason, names: Titles): string {
  if (by === null) return '; who ordered it was not recorded';
  return ` by order of ${names.login(by)}, for the reason “${reason}”`;
}

const standings: Readonly<Record<CommentStatus, string>> = {
  approved: 'approved',
  hold: 'held for approval',
  spam: 'spam',
  trash: 'in the trash',
  'post-trashed': 'in the trash with its post',
};

export function textsNamed<N extends string>(...names: readonly N[]) {
  return (data: { readonly [K in N]?: string }): SummaryTexts =>
    Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}

export function pairs(details: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(details).filter(([, value]) => value !== undefined);
  return set.map(([name, value]) => `${inWords(name)} to ${value === '' ? 'none' : value}`).join(', ');
}

/** `featuredMedia` and `featured_media` as `featured media`. */
export function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
}

function titleOf(post: number, names: Titles): string {
  return post === 0 ? 'nothing' : names.title(names.itemStream(post));
}

function named(data: object, ...names: readonly string[]): string {
  return names
    .filter((name) => name in data)
    .map((name) => `${authorTexts[name]} of the author`)
    .join(', ');
}

const authorTexts: Readonly<Record<string, string>> = { name: 'name', email: 'mail address', url: 'web address' };

export function rolesInWords(roles: readonly string[]): string {
  if (roles.length === 0) return 'no role';
  return `the role${roles.length > 1 ? 's' : ''} ${roles.join(', ')}`;
}

export function plainTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

export const importedRevision = {
  label: 'Revision imported',
  describe: ({ isAutosave, saved }: { readonly isAutosave: boolean; readonly saved: string }) =>
    `imported ${isAutosave ? 'an autosave' : 'a revision'} of ${plainTime(saved)}`,
};

export function withoutNulls<T extends object>(changes: T): { readonly [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? ''])) as never;
}
