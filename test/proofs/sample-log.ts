import { hash } from 'node:crypto';
import { type BundledEvent, encodeBundle, type ProofBundle } from '#proofs/bundle.ts';
import { checkpointText } from '#tlog/checkpoint.ts';
import { cosign, cosignerOf } from '#tlog/cosignature.ts';
import { COSIGNATURE, encodeVerifier, parseSigner, signNote, toBase64 } from '#tlog/note.ts';
import {
  consistencyProof,
  type Digest,
  inclusionProof,
  leafHash,
  nodeHash,
  rootOf,
  type Subtrees,
} from '#tlog/tree.ts';

/** A log with fixed keys, times and ids, so that its proofs are the same on every machine. */

/** Keys of tests: they protect nothing. */
export const keys = {
  log: parseSigner('PRIVATE+KEY+cms.example.org+6bacf8d0+AQ1eNO9GaRrGYQ4zqN7DeGwicP68y2qC+dPKiYy2EZ70'),
  one: parseSigner('PRIVATE+KEY+witness.example/one+d47a9cf7+AVZDJvi05HNnGQ2EjYgtSxjssEdCtOIq7eY0gItCnKGE'),
  two: parseSigner('PRIVATE+KEY+witness.example/two+8e117317+AaDYQxbxp7m2sQhID8TzP2KdPbpJghNRqz41agjXfx2p'),
  stranger: parseSigner('PRIVATE+KEY+elsewhere.example+ed65cc8d+AXX+chYarLh1rAGehJ4axWui9awCeHJMl0zCw8y4xUMB'),
  /** Of somebody who calls himself the log. */
  impostor: parseSigner('PRIVATE+KEY+cms.example.org+41aad484+ASv7KWGqfr6LyaQq3QEME0/GGDAT8Miy+dI9hQjvdrRB'),
};

const vkeys = {
  log: encodeVerifier(keys.log),
  one: encodeVerifier(cosignerOf(keys.one), COSIGNATURE),
  two: encodeVerifier(cosignerOf(keys.two), COSIGNATURE),
};

/** Two organisations have to cosign. */
export const policyText = `# Whose signatures count
log ${vkeys.log} https://cms.example.org/cms-json/tlog

witness one ${vkeys.one}
witness two ${vkeys.two}
group first-office any one
group second-office any two
group both all first-office second-office
quorum both
`;

export const someTime = 1_800_000_000;

export interface SampleEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  /** JSON text. */
  readonly sealed?: string;
}

export const item = (revision: number, type: string, data: object, sealed?: object): SampleEvent => ({
  ...{ stream: 'entry-12', revision, type, data: JSON.stringify(data) },
  ...(sealed === undefined ? {} : { sealed: JSON.stringify(sealed) }),
});

const other = (revision: number): SampleEvent => ({
  ...{ stream: 'term-3', revision, type: 'TermChanged', data: `{"name":"Name ${revision}"}` },
});

const saved = (hour: string) => ({ modified: `2026-03-01T${hour}:00:00`, modifiedGmt: `2026-03-01T${hour}:00:00` });
const created = {
  id: 12,
  kind: 'post',
  status: 'draft',
  slug: 'one',
  author: 1,
  date: '2026-03-01T08:00:00',
  dateGmt: null,
};

/** Of a post, a term and a user; the post is erased in the end. */
export const sampleEvents: readonly SampleEvent[] = [
  other(1),
  other(2),
  item(
    1,
    'EntryCreated',
    { ...created, ...saved('08') },
    { title: 'Größe “1”', content: 'A\nB', excerpt: '', footnotes: '' },
  ),
  other(3),
  item(2, 'EntryPublished', saved('09')),
  item(3, 'EntryRevised', { revision: 4, ...saved('10') }, { title: 'Second thoughts' }),
  other(4),
  item(4, 'EntryAutosaved', { autosave: 5, isNew: true, ...saved('11') }, { title: 'Not yet', content: 'C' }),
  item(5, 'EntryRevised', { revision: 6, ...saved('12') }, { content: 'D' }),
  other(5),
  item(6, 'EntrySaved', saved('13')),
  other(6),
  item(7, 'EntryTrashed', saved('14')),
  { stream: 'user-1', revision: 9, type: 'UserDeleted', data: '{"id":1,"heir":0}' },
  item(8, 'EntryDeleted', { id: 12, kind: 'post' }),
  item(9, 'EntryErased', { id: 12 }),
  other(7),
];

export interface SampleLog {
  readonly rows: readonly string[];
  readonly tree: Subtrees;
  /** The text of a checkpoint, signed by the log, and cosigned by both witnesses. */
  checkpoint(size: number): string;
  root(size: number): Digest;
  event(position: number, isOpen: boolean, size: number): BundledEvent;
  bundle(size: number, positions: readonly number[], opened?: readonly number[]): ProofBundle;
}

/** `rowOf`: makes the row of an event, of the text that it has usually. */
export function sampleLog(
  events = sampleEvents,
  rowOf: (usual: string, i: number) => string = (text) => text,
): SampleLog {
  const sealed = events.map((event, i) => {
    const salt = hash('sha256', `salt ${i}`).slice(0, 32);
    return event.sealed === undefined ? null : { salt, text: event.sealed };
  });
  const rows = events.map((event, i) => {
    const digest = sealed[i] ? hash('sha256', sealed[i].salt + sealed[i].text) : null;
    const at = `2026-03-01T${String(i).padStart(2, '0')}:00:00.000Z`;
    const { stream, revision, type, data } = event;
    const about = [i + 1, stream, revision, type, 1, `event-${i + 1}`, `commit-${i + 1}`, 0, 1];
    return rowOf(JSON.stringify(['palimpsest event 1', ...about, at, 1, `request-${i + 1}`, null, data, digest]), i);
  });
  const leaves = rows.map((row) => leafHash(hash('sha256', row, 'buffer')));
  const tree: Subtrees = {
    hash: (level, index) =>
      level === 0
        ? (leaves[index] ?? Buffer.of())
        : nodeHash(tree.hash(level - 1, 2 * index), tree.hash(level - 1, 2 * index + 1)),
  };
  const root = (size: number) => rootOf(size, tree);
  const event = (position: number, isOpen: boolean, size: number): BundledEvent => ({
    row: rows[position - 1] ?? '',
    sealed: isOpen ? (sealed[position - 1] ?? null) : null,
    proof: inclusionProof(position - 1, size, tree).map(toBase64),
  });
  const checkpoint = (size: number) => signed(checkpointText({ origin: keys.log.name, size, root: root(size) }));
  return {
    ...{ rows, tree, checkpoint, root, event },
    bundle: (size, positions, opened = []) => ({
      checkpoint: checkpoint(size),
      before: null,
      events: positions.map((position) => event(position, opened.includes(position), size)),
    }),
  };
}

/** A text signed by the log and both witnesses. */
export function signed(text: string): string {
  return [signNote(text, [keys.log]), cosignedBy(keys.one, text), cosignedBy(keys.two, text)].join('');
}

export function cosignedBy(key: typeof keys.one, text: string, time = someTime): string {
  return cosign(text, cosignerOf(key), time);
}

/** The kinds of proofs that `prove` makes. */
export function trueProofs(): { readonly name: string; readonly text: string }[] {
  const log = sampleLog();
  const before = { checkpoint: signNote(checkpointOf(log, 11), [keys.log]), consistency: [] as string[] };
  const erasure = log.bundle(17, [3, 5, 6, 8, 9, 11, 13, 15, 16]);
  const consistency = consistencyProof(11, 17, log.tree).map(toBase64);
  return Object.entries({
    item: log.bundle(14, [3, 5, 6, 8, 9, 11, 13], [3, 6, 9]),
    field: log.bundle(11, [6, 8, 9, 11], [6, 9]),
    public: log.bundle(17, [5, 6, 8, 9, 11, 13, 14, 15]),
    event: log.bundle(8, [8], [8]),
    'only-leaf': sampleLog([other(1)]).bundle(1, [1]),
    erasure: { ...erasure, before: { ...before, consistency } },
  }).map(([name, bundle]) => ({ name, text: encodeBundle(bundle) }));
}

export function checkpointOf(log: SampleLog, size: number): string {
  return checkpointText({ origin: keys.log.name, size, root: log.root(size) });
}
