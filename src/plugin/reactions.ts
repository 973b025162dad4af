import type { PluginReader } from './reader.ts';
import type { PluginSession } from './routes.ts';

/** What follows in a plugin from events elsewhere, in the same commit. */
export interface PluginReaction {
  /** Types of events, of the server or of plugins, as in docs/events.md. */
  readonly to: readonly string[];
  /**
   * Called when at least one such event joins a commit; `model` shows the site before it. Returns what to do once the events are part of
   * the commit, or null.
   */
  readonly react: (staged: StagedEvents, model: PluginReader) => ((model: PluginSession) => void) | null;
}

/** Events of one stream that join a commit together; `data` is of the newest version of their types. */
export interface StagedEvents {
  readonly stream: string;
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}
