import type { Session } from '#commands/session.ts';
import type { HookProgress } from '#domain/hooks/progress.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import type { Uploads } from '#media/uploads.ts';
import type { CrawlerState } from '#plugin/server.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Route } from '../../../engine/types.ts';

/** What routes of plugins depend on besides the read model. */
export interface PluginParts {
  readonly deployment: Deployment;
  readonly settings: PluginSettings;
  readonly uploads: Uploads;
  readonly uses: Pick<PasswordUses, 'of'>;
  readonly compress: boolean;
  readonly crawlers: () => readonly CrawlerState[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** State of the hooks on this node; null if unknown. */
  readonly hooks: HookParts | null;
}

export interface HookParts {
  readonly progress: Pick<HookProgress, 'of'>;
  readonly isOn: boolean;
  readonly mayReach: (address: string) => boolean;
}

export interface Namespace {
  readonly name: string;
  /** Routes of the interface. Absent: the whole namespace is an addition. */
  readonly routes?: (parts: PluginParts) => readonly Route<Model, Session>[];
  readonly additions?: (parts: PluginParts) => readonly Route<Model, Session>[];
}
