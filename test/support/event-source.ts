import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type Message, messagesIn } from './sse.ts';

const [connecting, open, closed] = [0, 1, 2];

/**
 * An `EventSource` as the HTML standard has it: any status but 200, or another type, ends it for good; after anything else, such as a refused
 * or broken connection, it reconnects with the id of its last event.
 */
export class StandardEventSource {
  readyState = connecting;
  readonly messages: Message[] = [];
  lastEventId = '';
  /** How often it was connected. */
  opened = 0;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: false });
  readonly #speed: number;
  #retry = 3000;
  #request: ClientRequest | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `speed`: how many times sooner than it is told it reconnects. */
  constructor(url: string, speed = 1) {
    this.#url = url;
    this.#speed = speed;
    this.#connect();
  }

  close(): void {
    this.readyState = closed;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #connect(): void {
    const id = this.lastEventId === '' ? {} : { 'last-event-id': this.lastEventId };
    const headers = { accept: 'text/event-stream', 'cache-control': 'no-store', ...id };
    this.#request = request(this.#url, { agent: this.#agent, headers });
    this.#request.on('response', (response) => this.#take(response));
    this.#request.on('error', () => this.#reconnect());
    this.#request.end();
  }

  #take(response: IncomingMessage): void {
    const [type = ''] = (response.headers['content-type'] ?? '').split(';');
    if (response.statusCode !== 200 || type.trim() !== 'text/event-stream') {
      this.close();
      return;
    }
    this.readyState = open;
    this.opened += 1;
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => {
      const blocks = (text + piece).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#read(block);
    });
    response.on('error', () => undefined).on('close', () => this.#reconnect());
  }

  #read(block: string): void {
    const { message, id, retry } = messagesIn(block, this.lastEventId);
    this.lastEventId = id;
    this.#retry = retry ?? this.#retry;
    if (message !== null) this.messages.push(message);
  }

  #reconnect(): void {
    if (this.readyState === closed) return;
    this.readyState = connecting;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), this.#retry / this.#speed);
  }
}
