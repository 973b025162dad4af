import { styleText } from 'node:util';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { type Account, auditAccount, isSameAct } from '#projections/audit/account.ts';
import { changesBy } from '#projections/audit/changes.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { aheadInWords } from '#projections/audit/leaps.ts';
import type { DifferencePiece } from '#text/differences.ts';
import { isChanged, sideBySide } from '#text/side-by-side.ts';
import { cell } from '../output.ts';
import type { RecordForm, RecordSource } from './record.ts';

export interface TimelineOptions extends RecordSource {
  readonly zone: string;
  readonly colours: boolean;
  /** The log from which changed texts are read; null: changes are not shown. */
  readonly diff: Pick<EventStore, 'read'> | null;
}

interface TimelineItem {
  readonly account: Account;
  readonly event: StoredEvent;
}

const indent = ' '.repeat(10);

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
    const told = this.#act.sort((a, b) => a.account.position - b.account.position);
    const [first] = told;
    this.#act = [];
    return first === undefined ? '' : this.#heading(first.account) + this.#written(first.account, told);
  }

  #heading({ at }: Account): string {
    const day = this.#local(at).slice(0, 10);
    if (day === this.#day) return '';
    const space = this.#day === '' ? '' : '\n';
    this.#day = day;
    return `${space}${this.#style('bold', day)}\n`;
  }

  #written({ at, who, thing, correlationId, end, ahead }: Account, told: readonly TimelineItem[]): string {
    const { kind, id, title } = thing;
    const name = [kind, id ?? '', title === '' ? '' : `“${title}”`].join(' ').replace(/ +/g, ' ').trim();
    const from = told[0]?.account.position;
    const to = told.at(-1)?.account.position;
    const address = this.#options.originOf({ position: end, correlationId });
    const fine = `#${from === to ? from : `${from}–${to}`} ${correlationId}${address === null ? '' : ` from ${address}`}`;
    const head = `${this.#local(at).slice(11)}  ${this.#style('bold', cell(who))}  ${cell(name)}  ${this.#style('dim', cell(fine))}\n`;
    const warning = ahead === 0 ? '' : `${indent}(the time is ${aheadInWords(ahead)})\n`;
    return head + warning + told.map((one) => this.#sentence(one)).join('');
  }

  #sentence({ account: { what, erased }, event }: TimelineItem): string {
    const line = `${indent}${cell(what)}${erased ? ' (content erased)' : ''}\n`;
    return this.#options.diff === null ? line : line + this.#changes(event, this.#options.diff);
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
