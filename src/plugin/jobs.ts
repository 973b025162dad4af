import type { z } from 'zod';
import type { PluginMediaFiles, PluginReader } from './reader.ts';
import type { PluginSession } from './routes.ts';

/** Work besides requests, such as fetching something. */
export interface PluginJob {
  /** Correlation id of its commits. */
  readonly name: string;
  /** Whether there is something to do. Asked at the start and after commits. */
  readonly isDue: (model: PluginReader) => boolean;
  /** Does it. Resolves to false if something is left that is worth another attempt in a minute. */
  readonly work: (call: JobCall) => Promise<boolean>;
}

export interface JobCall {
  model(): PluginReader;
  settings<S extends z.ZodType>(schema: S): z.output<S>;
  mediaFiles(id: number): PluginMediaFiles | undefined;
  /** Requests something from a public address, with limits on time and redirects. */
  fetch(address: string, wanted: { readonly accept: string; readonly maxBytes: number }): Promise<FetchedByJob>;
  /** Makes a commit of what `work` stages. `work` may run again if another node commits first. */
  submit(work: (model: PluginSession) => void): Promise<void>;
  /**
   * Stores another form of an image, if it has the given type and size, and makes a commit whose events have to name it. Resolves to false
   * if it has not.
   */
  keepImage(
    bytes: Uint8Array,
    like: { readonly type: string; readonly width: number; readonly height: number },
    work: (model: PluginSession, kept: { readonly hash: string; readonly bytes: number }) => void,
  ): Promise<boolean>;
}

export type FetchedByJob =
  | { readonly ok: true; readonly status: number; readonly type: string; readonly body: Uint8Array }
  | { readonly ok: false; readonly why: string };
