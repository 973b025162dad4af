import { hash } from 'node:crypto';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MakeView, StoredView } from '#projections/entries/views.ts';
import type { Model } from '#projections/model.ts';
import type { JsonText, Rec } from '../../engine/types.ts';
import { permalink } from './links.ts';
import { entryRecord } from './record.ts';

/**
 * Makes what everybody is sent of an entry: its record in context view. Of entries below others there is none,
 * because their address would change with those; of protected ones neither, because a password opens them.
 */
export function viewMaker(model: Model): MakeView {
  return (row) => {
    if (row.status !== 'publish' || row.password !== '' || row.parent !== 0) return null;
    const record = entryRecord(row, { context: 'view', viewer: anonymous, model });
    const text = `{${record.names.map((name) => `"${name}":${record.json(name)}`).join()}}`;
    return { text, digest: hash('sha1', text, 'base64url').slice(0, 12), link: permalink(row, model) };
  };
}

/** A record whose text is ready; its fields are made from the row only if somebody asks for one of them. */
export function viewRecord(view: StoredView, model: Model): Rec {
  return new ViewRecord(view, model);
}

class ViewRecord implements Rec {
  readonly whole: JsonText;
  readonly digest: string;
  readonly #id: number;
  readonly #model: Model;
  #record: Rec | undefined;

  constructor({ id, version, text, digest }: StoredView, model: Model) {
    this.whole = text;
    this.digest = `${id}.${version}.${digest}`;
    this.#id = id;
    this.#model = model;
  }

  get names(): readonly string[] {
    return this.#rest().names;
  }

  json(name: string): JsonText {
    return this.#rest().json(name);
  }

  #rest(): Rec {
    const row = this.#model.entry(this.#id) as EntryRow;
    this.#record ??= entryRecord(row, { context: 'view', viewer: anonymous, model: this.#model });
    return this.#record;
  }
}
