import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { PASSWORD } from '#proofs/histories.ts';

/** What the file of a proof opens: sealed fields by name, and in how many events. */
export interface OpenedFields {
  readonly asked: ReadonlyMap<string, number>;
  /** What was not asked for, but is under the same seal; empty values do not count. */
  readonly also: ReadonlyMap<string, number>;
}

/** What somebody who asks for a proof has agreed to. */
export interface Agreed {
  /** To show a password. */
  readonly password: boolean;
  /** To show what is under the same seal as what was asked for. */
  readonly also: boolean;
}

/** How to agree to each, in the words of the command line or of the interface. */
export type AgreeingWords = Readonly<Record<keyof Agreed, string>>;

/** Whether a file opens more than was agreed to. */
export function opensTooMuch(opening: OpenedFields, agreed: Agreed, say: AgreeingWords): Refusal | null {
  const lines = openingLines(opening).join(' ');
  const isPassword = opening.asked.has(PASSWORD) || opening.also.has(PASSWORD);
  if (isPassword && !agreed.password)
    return refuse('proof_opens_password', `${lines} Whoever has the file can read the password. ${say.password}`);
  if (opening.also.size > 0 && !agreed.also)
    return refuse('proof_opens_more', `${lines} One seal covers all texts of an event of that age. ${say.also}`);
  return null;
}

/** What a file opens, in sentences. */
export function openingLines({ asked, also }: OpenedFields): string[] {
  return [
    asked.size === 0 ? 'opens: nothing that is sealed.' : `opens: ${listed(asked)}.`,
    ...(also.size === 0 ? [] : [`opens also: ${listed(also)}.`]),
  ];
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} of ${count} ${count === 1 ? 'version' : 'versions'}`).join(', ');
}
