export interface ReplyOptions {
  /** Default 200. */
  readonly status?: number;
  /** Default: none. A value that is not in a reply is sent with `Cache-Control: no-cache`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Content type of a text that is sent as it is. */
  readonly type?: string;
  /** Nothing changed, so that the same request with the same `Idempotency-Key` is decided again. */
  readonly idle?: true;
}

export class PluginReply {
  readonly value: unknown;
  readonly options: ReplyOptions;

  constructor(value: unknown, options: ReplyOptions) {
    this.value = value;
    this.options = options;
  }
}

/** A value to send as JSON, with a status and headers. */
export function reply(value: unknown, options: ReplyOptions = {}): PluginReply {
  return new PluginReply(value, options);
}
