import type { KeptTexts } from './late-texts.ts';

export interface NewAnswer {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The complete `Content-Type`. */
  readonly type: string;
  readonly body: string;
  /** The answer shows nothing of others, unless it is embedded. */
  readonly own?: true | undefined;
  /** Texts that are missing in `body`; absent: none. */
  readonly late?: KeptTexts | undefined;
}

export interface KeptAnswer extends NewAnswer {
  /** Position of the end of the commit that the answer reported. */
  readonly position: number;
}
