import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { counted } from './verify/check.ts';

/** What an erasure would do, in sentences. */
export interface ErasurePlan {
  /** Such as `the post 12, “Title”`. */
  readonly what: string;
  /** Number of sealed texts that go, by the type of their event. */
  readonly texts: ReadonlyMap<string, number>;
  /** What goes besides, such as `3 files`. */
  readonly also?: readonly string[];
  readonly stays: readonly string[];
}

type Noun = readonly [one: string, many: string];

const version: Noun = ['version of its texts', 'versions of its texts'];
const record: Noun = ['other record with personal data or contents', 'other records with personal data or contents'];

const nouns: Readonly<Record<string, Noun>> = {
  EntryCreated: version,
  EntryRevised: version,
  EntryReverted: version,
  EntryAutosaved: ['autosave', 'autosaves'],
  EntryRevisionImported: version,
  EntryPasswordChanged: ['password', 'passwords'],
  MediaUploaded: version,
  MediaDescribed: version,
  CommentWritten: ['comment', 'comments'],
  CommentEdited: ['edited version of a comment', 'edited versions of comments'],
  CommentSigned: ['name with addresses of a commenter', 'names with addresses of commenters'],
  CommentOriginNoted: ['network address of a commenter', 'network addresses of commenters'],
  UserAdded: ['version of the data of the account', 'versions of the data of the account'],
  UserProfileChanged: ['change of these data', 'changes of these data'],
  ContactMessageReceived: ['message', 'messages'],
};

/** Describes what would happen. This is a refusal, so that no script takes it for success. */
export function notConfirmed({ what, texts, also = [], stays }: ErasurePlan): Refusal {
  const lines = [
    `This would erase ${what}, for good.`,
    `  goes:  ${[...textLines(texts), ...also].join(', ') || 'nothing that is still there'}`,
    `  stays: ${['positions, hashes, numbers, slugs, dates, and who did what when', ...stays].join('; ')}`,
    'Say --yes --as LOGIN --reason "…" to do it, as the administrator who answers for it.',
  ];
  return refuse('erasure_not_confirmed', lines.join('\n'));
}

function textLines(texts: ReadonlyMap<string, number>): string[] {
  const counts = new Map<Noun, number>();
  for (const [type, count] of texts) {
    const noun = nouns[type] ?? record;
    counts.set(noun, (counts.get(noun) ?? 0) + count);
  }
  return [...counts].map(([[one, many], count]) => counted(count, count === 1 ? one : many));
}
