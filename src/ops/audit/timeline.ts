import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { styleText } from 'node:util';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type Account, auditAccount, isSameAct } from '#projections/audit/account.ts';
import { changesBy } from '#projections/audit/changes.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { aheadInWords } from '#projections/audit/leaps.ts';
import {
  auditRow,
  changeInWords,
  changesShown,
  csvHead,
  csvLines,
  type FieldsShown,
  type RecordSource,
} from '#projections/audit/record.ts';
import { type DifferencePiece, differences, isChanged, sideBySide } from '#text/differences.ts';
import { cell } from '../output.ts';
import { Stopped } from '../progress.ts';

export interface TimelineOptions extends RecordSource {
  readonly zone: string;
  readonly colours: boolean;
  /** The log from which changed texts are read; null: changes are not shown. */
  readonly diff: Pick<EventStore, 'read'> | null;
  /** How changed fields are shown; null: not at all. */
  readonly shown: FieldsShown | null;
}

interface TimelineItem {
  readonly account: Account;
  readonly event: StoredEvent;
}

export interface RecordForm {
  readonly head: string;
  /** Takes the next event. Returns the text that it completes, possibly empty. */
  take(event: StoredEvent): string;
  end(): string;
}

export interface Printer {
  /** Waits while the reader is slow. Returns false once the reader is gone (`| head`). Throws `Stopped`. */
  print(text: string): Promise<boolean>;
  /** Yields to pending signals now and then. Throws `Stopped`. */
  yieldToEvents(): Promise<void>;
}

const indent = ' '.repeat(10);

/** Maximum time without yielding to signals, in milliseconds. */
const MAX_BLOCKING_MS = 50;

/** Formats events for people: a heading for each day, below it what each request changed. */
export class Timeline implements RecordForm {
  readonly head = '';
  readonly #options: TimelineOptions;
  #act: TimelineItem[] = [];
  #day = '';

  constructor(options: TimelineOptions) {
    this.#options = options;
  }

  take(event: StoredEvent): string {
    const account = auditAccount(event, this.#options.names, this.#options.leaps);
    const [first] = this.#act;
    const finished = first === undefined || isSameAct(first.account, account) ? '' : this.end();
    this.#act.push({ account, event });
    return finished;
  }

  end(): string {
    const items = this.#act.sort((a, b) => a.account.position - b.account.position);
    const [first] = items;
    this.#act = [];
    return first === undefined ? '' : this.#heading(first.account) + this.#written(first.account, items);
  }

  #heading({ at }: Account): string {
    const day = this.#local(at).slice(0, 10);
    if (day === this.#day) return '';
    const space = this.#day === '' ? '' : '\n';
    this.#day = day;
    return `${space}${this.#style('bold', day)}\n`;
  }

  #written({ at, who, thing, correlationId, end, ahead }: Account, items: readonly TimelineItem[]): string {
    const { kind, id, title } = thing;
    const name = [kind, id ?? '', title === '' ? '' : `“${title}”`].join(' ').replace(/ +/g, ' ').trim();
    const from = items[0]?.account.position;
    const to = items.at(-1)?.account.position;
    const address = this.#options.originOf?.({ position: end, correlationId }) ?? null;
    const fine = `#${from === to ? from : `${from}–${to}`} ${correlationId}${address === null ? '' : ` from ${address}`}`;
    const head = `${this.#local(at).slice(11)}  ${this.#style('bold', cell(who))}  ${cell(name)}  ${this.#style('dim', cell(fine))}\n`;
    const warning = ahead === 0 ? '' : `${indent}(the time is ${aheadInWords(ahead)})\n`;
    return head + warning + items.map((one) => this.#sentence(one)).join('');
  }

  #sentence({ account: { what, erased }, event }: TimelineItem): string {
    const line = `${indent}${cell(what)}${erased ? ' (content erased)' : ''}\n${this.#fields(event)}`;
    return this.#options.diff === null ? line : line + this.#changes(event, this.#options.diff);
  }

  #fields(event: StoredEvent): string {
    const { shown, names } = this.#options;
    const changes = shown === null ? [] : changesShown(event, shown);
    return changes.map((change) => `${indent}  ${cell(changeInWords(change, names))}\n`).join('');
  }

  #changes(event: StoredEvent, log: Pick<EventStore, 'read'>): string {
    const found = changesBy(event, log);
    if (found === null) return '';
    if (found.erased) return `${indent}  (one of the versions has been erased)\n`;
    return found.changes
      .map(({ name, before, after }) => {
        const lines = sideBySide(before, after).filter(isChanged);
        return `${indent}  ${inWords(name)}\n${lines.map((pair) => this.#line('-', pair.before) + this.#line('+', pair.after)).join('')}`;
      })
      .join('');
  }

  #line(sign: '-' | '+', pieces: readonly DifferencePiece[] | null): string {
    if (pieces === null) return '';
    const colour = sign === '-' ? 'red' : 'green';
    const text = pieces.map((piece) =>
      piece.op === 'equal' ? cell(piece.text) : this.#style('inverse', cell(piece.text)),
    );
    return `${indent}  ${this.#style(colour, `${sign} ${text.join('')}`)}\n`;
  }

  #local(at: string): string {
    return toLocal(gmtNow(Date.parse(at)), this.#options.zone);
  }

  #style(style: 'bold' | 'dim' | 'red' | 'green' | 'inverse', text: string): string {
    return this.#options.colours ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** One line of JSON per event; with `diff`, the log to read texts from, also the changes of the event, with `shown` its fields. */
export function jsonForm(source: RecordSource, { diff, shown }: Pick<TimelineOptions, 'diff' | 'shown'>): RecordForm {
  const changesOf = (event: StoredEvent, log: Pick<EventStore, 'read'>) =>
    changesBy(event, log)?.changes.map(({ name, before, after }) => ({ name, pieces: differences(before, after) })) ??
    [];
  const recordWith = (event: StoredEvent) => ({
    ...auditRow(event, source),
    ...(diff === null ? {} : { changes: changesOf(event, diff) }),
    ...(shown === null ? {} : { fields: changesShown(event, shown) }),
  });
  return { head: '', take: (event) => `${JSON.stringify(recordWith(event))}\n`, end: () => '' };
}

/** CSV (RFC 4180). */
export function csvForm(source: RecordSource, shown: FieldsShown | null): RecordForm {
  return { head: csvHead(shown !== null), take: (event) => csvLines(event, source, shown), end: () => '' };
}

/** Prints to a stream until its reader is gone or the signal aborts. */
export function printerTo(output: NodeJS.WritableStream, signal: AbortSignal): Printer {
  let gone = false;
  let yieldedAt = performance.now();
  output.on('error', () => {
    gone = true;
  });
  const yieldToEvents = async () => {
    if (performance.now() - yieldedAt < MAX_BLOCKING_MS) return;
    await turn();
    yieldedAt = performance.now();
    if (signal.aborted) throw new Stopped('stopped');
  };
  return {
    yieldToEvents,
    async print(text) {
      if (!gone && !output.write(text)) {
        // If the reader goes away, the stream emits an error, which ends the wait as well.
        await once(output, 'drain', { signal }).catch(() => undefined);
        if (signal.aborted) throw new Stopped('stopped');
      }
      await yieldToEvents();
      return !gone;
    },
  };
}
