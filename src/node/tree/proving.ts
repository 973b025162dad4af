import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { leafOf, leafText } from '#eventstore/leaf.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { type LogReader, openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { type BundledEvent, encodeBundle } from '#proofs/bundle.ts';
import { PASSWORD } from '#proofs/histories.ts';
import type { OpenedSeal } from '#proofs/opened.ts';
import { SEALS, sealOfFields, storedSeals } from '#text/field-seals.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote, toBase64 } from '#tlog/note.ts';
import { TILE_WIDTH } from '#tlog/tiles.ts';
import {
  consistencyProof,
  type Digest,
  GrowingRoot,
  inclusionProof,
  leafHash,
  nodeHash,
  rootByInclusion,
  rootOf,
  type Subtrees,
  sameDigest,
} from '#tlog/tree.ts';
import { CHECKPOINTS, type KeptCheckpoint, latestCheckpoint, readCheckpoints } from './checkpoints.ts';
import { type Agreed, type AgreeingWords, type OpenedFields, opensTooMuch } from './opening.ts';
import {
  type AskedPeriod,
  eventAt,
  eventsOfErasure,
  eventsOfField,
  eventsOfHistory,
  eventsOfState,
  type Picked,
} from './proof-events.ts';
import { eventsOfReadable } from './proof-readable.ts';
import { StoredRows } from './tree-file.ts';

/** What proofs are made of: the log up to a signed checkpoint, and its tree. */
export interface ProofSource {
  readonly log: Pick<LogReader, 'salted'>;
  readonly checkpoint: KeptCheckpoint;
  /** Number of events that the checkpoint covers. */
  readonly size: number;
  readonly root: Digest;
  readonly tree: Subtrees;
}

export interface MadeProof {
  /** The file. */
  readonly text: string;
  readonly events: number;
  /** Positions of the events of which something is opened, and of those whose texts have been erased. */
  readonly opened: readonly number[];
  readonly erased: readonly number[];
  readonly opens: OpenedFields;
}

/** A tree as far as it has grown: the rows of its file. */
type StoredTree = Pick<StoredRows, 'tile'>;

/** Hashes in complete subtrees of this level are computed from the events in one go. */
const LEVEL_AT_ONCE = 8;
const HASH_SIZE = 32;
/** Of 8 KB. */
const MAX_ROWS = 512;

/**
 * The source for a checkpoint, with the first of the given trees that fits it. Each is as far as it has grown; null: it is computed from
 * the log, which takes ten seconds for a million events.
 */
export function proofSource(
  log: Pick<LogReader, 'salted'>,
  checkpoint: KeptCheckpoint,
  stored: readonly (StoredTree | null)[],
): ProofSource | Refusal {
  const { size, root } = parseCheckpoint(parseNote(checkpoint.note).text);
  for (const file of stored) {
    const tree = new KnownSubtrees(log, file);
    if (sameDigest(rootOf(size, tree), root)) return { log, checkpoint, size, root, tree };
  }
  return differs(size, checkpoint);
}

/** Opens the file of the tree beside a server that may write it; null if there is none that can be read. */
export function openStoredTree(dataDir: string): { readonly tree: StoredTree | null; close(): void } {
  const path = join(dataDir, 'tree.db');
  let db: DatabaseSync | undefined;
  try {
    if (existsSync(path)) db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    const tree = db === undefined ? null : new StoredRows(db);
    return { tree, close: () => db?.close() };
  } catch {
    db?.close();
    return { tree: null, close: () => undefined };
  }
}

/** Makes the file that proves events. `before`: an earlier checkpoint that it compares with. */
export function makeProof(
  picked: readonly Picked[],
  source: ProofSource,
  before?: KeptCheckpoint,
): MadeProof | Refusal {
  const { log, size, root, tree, checkpoint } = source;
  const opened: number[] = [];
  const erased: number[] = [];
  const events: BundledEvent[] = [];
  const opens = { asked: new Map<string, number>(), also: new Map<string, number>() };
  for (const { event, opens: wanted } of picked) {
    const index = event.position - 1;
    const proof = inclusionProof(index, size, tree);
    const found = rootByInclusion({ leaf: leafHash(leafOf(event)), index, size, proof });
    // The stored tree can be that of the checkpoint while the log is another.
    if (found === null || !sameDigest(found, root)) return differs(size, checkpoint);
    const isOpen = wanted !== null && event.sealedDigest !== null;
    const seal = isOpen ? openedSeal(log, event, wanted) : null;
    if (seal === 'differs') return sealsDiffer(event);
    if (isOpen && seal === null) erased.push(event.position);
    const values = seal === null ? {} : shownBy(seal);
    if (Object.keys(values).length > 0) opened.push(event.position);
    for (const [name, value] of Object.entries(values)) {
      const isAsked = wanted?.includes(name) ?? false;
      const said = name === PASSWORD && isEmpty(value) ? 'no password' : name;
      if (isAsked || !isEmpty(value)) count(isAsked ? opens.asked : opens.also, said);
    }
    events.push({ row: leafText(event), sealed: seal, proof: proof.map(toBase64) });
  }
  const text = encodeBundle({
    checkpoint: checkpoint.note,
    before: before === undefined ? null : { checkpoint: before.note, consistency: continuing(before, source) },
    events,
  });
  return { text, events: events.length, opened, erased, opens };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

/** The values that a seal shows. */
function shownBy(seal: OpenedSeal): Readonly<Record<string, unknown>> {
  if (!('fields' in seal)) return JSON.parse(seal.text);
  return Object.fromEntries(
    seal.fields.flatMap(([name, , text]) => (text === undefined ? [] : [[name, JSON.parse(text)]])),
  );
}

interface ItemQuestion {
  readonly stream: string;
  readonly position: number;
  /** Only this one; null: all texts. */
  readonly field: string | null;
  /** Whether all texts until then are shown, or those that it had then. */
  readonly isHistory: boolean;
}

/** A question about an item, one event or an erasure, and what whoever asks agrees to. */
export type ProofQuestion = Agreed &
  (ItemQuestion | AskedPeriod | { readonly event: number } | { readonly erasure: string });

/** Makes the file that answers a question about an item. */
export type ProveState = (question: ProofQuestion) => string | Refusal;

/** For the latest checkpoint of a node that is open. */
export function provedFrom(node: {
  readonly dataDir: string;
  readonly tree: { readonly tree: StoredTree };
  readonly checkpoints: { readonly latest: KeptCheckpoint | null };
}): ProveState {
  return (question) => {
    const { latest } = node.checkpoints;
    return latest === null ? nothingSigned : prove(question, node.dataDir, [latest, storedOf(node.tree)]);
  };
}

/** The same in another thread, from the files of the node. */
export function provedIn(dataDir: string): ProveState {
  return (question) => {
    const latest = latestCheckpoint(dataDir);
    if (latest === null) return nothingSigned;
    const stored = openStoredTree(dataDir);
    try {
      return prove(question, dataDir, [latest, stored.tree]);
    } finally {
      stored.close();
    }
  };
}

/** How clients of the interface agree. */
const words: AgreeingWords = {
  password: 'With open_password=true it is made.',
  also: 'With open_also=true it is made.',
};

function prove(
  question: ProofQuestion,
  dataDir: string,
  [latest, stored]: readonly [KeptCheckpoint, StoredTree | null],
): string | Refusal {
  const log = openLogReader(join(dataDir, 'log.db'));
  try {
    const source = proofSource(log, latest, [stored]);
    if (isRefusal(source)) return source;
    const asked = askedOf(question, source);
    if (isRefusal(asked)) return asked;
    const made = makeProof(asked.picked, source, before(asked.ordered, dataDir));
    if (isRefusal(made)) return made;
    return opensTooMuch(made.opens, question, words) ?? made.text;
  } finally {
    log.close();
  }
}

function askedOf(
  question: ProofQuestion,
  source: ProofSource,
): { readonly picked: readonly Picked[]; readonly ordered?: number } | Refusal {
  if ('erasure' in question) return eventsOfErasure(question.erasure, source);
  const picked =
    'event' in question
      ? eventAt(question.event, { isOpen: false }, source)
      : 'low' in question
        ? eventsOfReadable(question, source)
        : pickedFor(question, source);
  return isRefusal(picked) ? picked : { picked };
}

/** The last checkpoint from before an order of erasure. */
function before(ordered: number | undefined, dataDir: string): KeptCheckpoint | undefined {
  return ordered === undefined ? undefined : lastBefore(ordered, readCheckpoints(join(dataDir, CHECKPOINTS)));
}

export function lastBefore(position: number, checkpoints: readonly KeptCheckpoint[]): KeptCheckpoint | undefined {
  return checkpoints.findLast(({ note }) => parseCheckpoint(parseNote(note).text).size < position);
}

/** The events that answer a question about an item. */
export function pickedFor(
  { field, isHistory, ...asked }: ItemQuestion & Pick<Agreed, 'password'>,
  source: Pick<ProofSource, 'log' | 'size'>,
): readonly Picked[] | Refusal {
  if (field !== null) return eventsOfField(field, asked, source);
  return isHistory ? eventsOfHistory(asked, source) : eventsOfState(asked, source);
}

function storedOf(tree: { readonly tree: StoredTree }): StoredTree {
  try {
    return tree.tree;
  } catch (error) {
    throw new LogUnavailable('the transparency log cannot be read', { cause: error });
  }
}

export const nothingSigned = refuse(
  'proof_too_early',
  'There is no signed checkpoint yet; "checkpoint make" makes one at once, and the server within CHECKPOINT_EVERY seconds.',
);

function sealsDiffer({ position }: ChainedEvent): Refusal {
  return refuse('history_differs', `The seals of the fields at position ${position} are not those of its texts.`);
}

function differs(size: number, { at }: KeptCheckpoint): Refusal {
  return refuse('history_differs', `The log is not the one whose first ${size} events were signed at ${at}.`);
}

/** Null: the texts have been erased. */
function openedSeal(
  log: Pick<LogReader, 'salted'>,
  { position, data }: ChainedEvent,
  wanted: NonNullable<Picked['opens']>,
): OpenedSeal | null | 'differs' {
  const [event]: ChainedEvent[] = [...log.salted({ from: position, to: position })];
  if (!event?.sealed || !event.salt) return null;
  const seals = storedSeals(event.sealed);
  const stated = (JSON.parse(data) as { readonly [SEALS]?: string })[SEALS];
  if (stated === undefined) return { salt: event.salt, text: event.sealed };
  if (seals === null || sealOfFields(seals) !== stated) return 'differs';
  return {
    fields: seals.map(({ name, salt, text, digest }) => (wanted.includes(name) ? [name, salt, text] : [name, digest])),
  };
}

function continuing(before: KeptCheckpoint, { size, tree }: ProofSource): string[] {
  const earlier = parseCheckpoint(parseNote(before.note).text);
  return consistencyProof(earlier.size, size, tree).map(toBase64);
}

/** Hashes that the file does not have yet are computed from the events. */
class KnownSubtrees implements Subtrees {
  readonly #log: Pick<LogReader, 'salted'>;
  readonly #stored: StoredTree | null;
  readonly #computed = new Map<string, Digest>();
  /** Rows that were read, by level and place. */
  readonly #rows = new Map<string, Uint8Array>();

  constructor(log: Pick<LogReader, 'salted'>, stored: StoredTree | null) {
    this.#log = log;
    this.#stored = stored;
  }

  hash(level: number, index: number): Digest {
    const [tile, place] = [Math.floor(index / TILE_WIDTH), (index % TILE_WIDTH) * HASH_SIZE];
    const row = this.#rowAt(level, tile);
    if (row.length >= place + HASH_SIZE) return row.subarray(place, place + HASH_SIZE);
    const key = `${level}/${index}`;
    const known = this.#computed.get(key) ?? this.#compute(level, index);
    this.#computed.set(key, known);
    return known;
  }

  #rowAt(level: number, tile: number): Uint8Array {
    const key = `${level}/${tile}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const hashes = this.#stored?.tile(level, tile) ?? new Uint8Array();
    if (this.#rows.size >= MAX_ROWS) this.#rows.clear();
    this.#rows.set(key, hashes);
    return hashes;
  }

  #compute(level: number, index: number): Digest {
    if (level > LEVEL_AT_ONCE) return nodeHash(this.hash(level - 1, 2 * index), this.hash(level - 1, 2 * index + 1));
    const width = 2 ** level;
    const root = new GrowingRoot();
    const events = this.#log.salted({ from: index * width + 1, to: (index + 1) * width, sealed: 'none' });
    for (const event of events) root.append(leafHash(leafOf(event)));
    return root.root;
  }
}
