import type { PluginReader } from './reader.ts';
import type { PluginCall } from './routes.ts';

/** A page for those who have its address: nothing lists or stores it, and its links do not reveal it. */
export interface HiddenPage {
  /** Relative to the site, without slashes around it; `(?P<key>[\da-f]{64})` is a parameter. */
  readonly path: string;
  /** Null: there is no such page. */
  readonly show: (call: HiddenPageCall) => HiddenContent | null;
}

export type HiddenPageCall = Pick<PluginCall<PluginReader>, 'model' | 'params' | 'now' | 'publicView'>;

export interface HiddenContent {
  readonly title: string;
  /** The source of a content, such as blocks. */
  readonly content: string;
}
