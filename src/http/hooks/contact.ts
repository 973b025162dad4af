import { contact } from '#domain/contact/area.ts';
import type { HookFilter } from '#domain/hooks/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { messagesResource } from '../feed/contact.ts';
import type { Change, VisibleCommit } from '../feed/visible.ts';

export interface ToldChange extends Change {
  /** What a visitor wrote in a contact form. */
  readonly message?: {
    readonly form: number;
    readonly date: string;
    readonly name: string;
    readonly email: string;
    readonly subject: string;
    readonly message: string;
  };
}

export interface ToldCommit extends VisibleCommit {
  readonly changes: readonly ToldChange[];
}

/** Adds personal data only for hooks that name this resource. Changes of messages are visible only to users who may read messages. */
export function withMessages(commit: VisibleCommit, { resources }: HookFilter, model: Model): ToldCommit {
  if (!resources.includes(messagesResource)) return commit;
  return { ...commit, changes: commit.changes.map((change) => withMessage(change, model)) };
}

function withMessage(change: Change, model: Model): ToldChange {
  const kept = change.resource === messagesResource ? model.plugin(contact, String(change.id)).message : null;
  // It has been deleted or erased since.
  if (kept === null || kept.name === '') return change;
  const { form, at, name, email, subject, message } = kept;
  return { ...change, message: { form, date: at, name, email, subject, message } };
}
