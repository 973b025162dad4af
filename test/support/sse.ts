import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** One event as a script in a browser receives it. */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface Connection {
  readonly port: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path with its query. Default: future commits of the feed. */
  readonly path?: string;
}

/** A client of server-sent events: its messages and position, and all kinds of misbehaviour. */
export class Listener {
  readonly messages: Message[] = [];
  /** The last event id, with which a browser would reconnect. */
  lastId = '';
  comments = 0;
  /** Milliseconds after which the server wants the client to reconnect. */
  retry: number | null = null;
  readonly status: number;
  readonly type: string | undefined;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #text = '';
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(sent: ClientRequest, response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.type = response.headers['content-type'];
    this.#request = sent;
    this.#response = response;
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    response.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    response.on('error', end).on('close', end);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when the condition holds; throws if the connection ends before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#ended) throw new Error(`the connection has ended at ${this.lastId}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when it has reached a position. */
  reaches(position: number): Promise<void> {
    return this.until(() => Number(this.lastId) >= position);
  }

  async end(): Promise<void> {
    await this.until(() => this.#ended).catch(() => undefined);
  }

  /** Stops reading from the network. */
  stall(): void {
    this.#response.pause();
  }

  goOn(): void {
    this.#response.resume();
  }

  /** Cuts the connection. */
  drop(): void {
    this.#ended = true;
    this.#request.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) this.#read(block);
    this.#wake();
  }

  #read(block: string): void {
    const { message, id, retry } = messagesIn(block, this.lastId);
    if (message !== null) this.messages.push(message);
    else if (id !== this.lastId || block.includes('event: position')) this.comments += 1;
    this.lastId = id;
    this.retry = retry ?? this.retry;
  }
}

/** What a block of a stream says; `before`: the last id. */
export function messagesIn(block: string, before: string) {
  const lines = block.split('\n');
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const id = field('id') ?? before;
  const [data, retry] = [field('data'), field('retry')];
  const event = field('event') ?? 'message';
  // Scripts listen for commits.
  const message: Message | null = data === undefined || event === 'position' ? null : { id, event, data };
  return { message, id, retry: retry === undefined ? null : Number(retry) };
}

/** Connects and waits for the head of the answer. */
export function listen({ port, path = '/cms-json/cms/v2/changes', headers = {} }: Connection): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { accept: 'text/event-stream', ...headers } });
    sent.on('response', (response) => resolve(new Listener(sent, response)));
    sent.on('error', reject).end();
  });
}
