import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { NewEvent } from '#eventstore/port.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import type { KeptCheckpoint } from '#node/tree/checkpoints.ts';
import { opensTooMuch } from '#node/tree/opening.ts';
import { type AskedPeriod, eventAt, eventsOfField, eventsOfState, eventsOfStatus } from '#node/tree/proof-events.ts';
import { makeProof, openStoredTree, type ProofSource, proofSource } from '#node/tree/proving.ts';
import { checkProof } from '#proofs/bundle.ts';
import { historiesIn } from '#proofs/histories.ts';
import { parsePolicy } from '#tlog/policy.ts';
import { commit, event } from '../support/commits.ts';
import { appendTo, directoryWith } from '../support/plain-log.ts';
import { signLog } from '../support/signing.ts';

interface Signed {
  readonly checkpoint: KeptCheckpoint;
  readonly policy: ReturnType<typeof parsePolicy>;
}

/** Signs the log in a data directory as it is. */
function sign(dataDir: string): Signed {
  const { checkpoint, verifier } = signLog(dataDir);
  return { checkpoint, policy: parsePolicy(Buffer.from(`log ${verifier}\nquorum none\n`)) };
}

function sourceIn(dataDir: string, checkpoint: KeptCheckpoint): ProofSource {
  const [log, stored] = [openLogReader(join(dataDir, 'log.db')), openStoredTree(dataDir)];
  onTestFinished(() => {
    log.close();
    stored.close();
  });
  const source = proofSource(log, checkpoint, [stored.tree]);
  if (isRefusal(source)) throw new Error(source.code);
  return source;
}

function allowed<T extends object>(value: T): Exclude<T, { readonly code: string }> {
  if (isRefusal(value)) throw new Error((value as { code: string }).code);
  return value as Exclude<T, { readonly code: string }>;
}

const entries = (count: number, from = 0) =>
  commit(Array.from({ length: count }, (_, i) => event(`entry-${from + i}`, { type: 'EntryCreated', sealed: '{}' })));

describe('a proof', () => {
  it('holds for every event, however much of the tree is stored', async () => {
    const directory = await directoryWith(entries(700));
    sign(directory);
    rmSync(join(directory, 'checkpoints.jsonl'));
    await appendTo(directory, entries(400, 700));
    const lagging = openStoredTree(directory);
    onTestFinished(() => lagging.close());
    const { checkpoint, policy } = sign(directory);
    const log = openLogReader(join(directory, 'log.db'));
    onTestFinished(() => log.close());
    const property = fc.property(fc.integer({ min: 1, max: 1100 }), (position) => {
      for (const stored of [lagging.tree, null]) {
        const source = allowed(proofSource(log, checkpoint, [stored]));
        const { text } = allowed(makeProof(allowed(eventAt(position, { isOpen: true }, source)), source));
        const [proved] = checkProof(Buffer.from(text), policy).events;
        expect(proved).toMatchObject({ position, stream: `entry-${position - 1}`, opened: {} });
      }
    });
    fc.assert(property, { numRuns: 40 });
  });

  it('is made without a tree of another log, and refused for another log', async () => {
    const [directory, other] = [await directoryWith(entries(40)), await directoryWith(entries(40))];
    const { checkpoint, policy } = sign(directory);
    const ofOther = sign(other);
    const log = openLogReader(join(directory, 'log.db'));
    const foreign = openStoredTree(other);
    onTestFinished(() => {
      log.close();
      foreign.close();
    });
    const source = allowed(proofSource(log, checkpoint, [foreign.tree, null]));
    const { text } = allowed(makeProof(allowed(eventAt(7, { isOpen: false }, source)), source));
    expect(checkProof(Buffer.from(text), policy).events).toHaveLength(1);
    const differs = { code: 'history_differs' };
    expect(proofSource(log, ofOther.checkpoint, [null])).toMatchObject(differs);
    const mixed = allowed(proofSource(log, ofOther.checkpoint, [foreign.tree, null]));
    expect(makeProof(allowed(eventAt(7, { isOpen: false }, mixed)), mixed)).toMatchObject(differs);
  });

  it('is refused for what the checkpoint does not cover', async () => {
    const directory = await directoryWith(entries(3));
    const { checkpoint } = sign(directory);
    await appendTo(directory, commit([event('entry-1'), event('entry-9')]));
    const source = sourceIn(directory, checkpoint);
    const early = { code: 'proof_too_early', message: expect.stringContaining('covers up to position 3;') };
    expect(eventAt(4, { isOpen: false }, source)).toMatchObject(early);
    expect(eventsOfState({ stream: 'entry-1', position: 5 }, source)).toMatchObject(early);
    expect(eventsOfState({ stream: 'entry-9', position: 5 }, source)).toMatchObject(early);
    expect(eventsOfState({ stream: 'entry-1', position: 3 }, source)).toHaveLength(1);
    expect(eventsOfState({ stream: 'entry-8', position: 5 }, source)).toMatchObject({ code: 'proof_not_found' });
  });
});

describe('which events a proof has', () => {
  const of = (stream: string, type: string, data: object = {}, sealed?: object): NewEvent =>
    event(stream, { type, data: JSON.stringify(data), ...(sealed && { sealed: JSON.stringify(sealed) }) });
  const created = { status: 'draft', author: 3, slug: 'one', date: '2026-03-01T12:00:00', dateGmt: null };
  const history = [
    of('entry-1', 'EntryCreated', created, { title: 'One', content: 'A' }),
    of('entry-1', 'EntryPublished'),
    of('entry-1', 'EntryRevised', {}, { content: 'B' }),
    of('user-3', 'UserDeleted', { id: 3, heir: 4 }),
    of('entry-1', 'EntryRevised', {}, { title: 'Two' }),
    of('user-4', 'UserDeleted', { id: 4, heir: 0 }),
    of('entry-1', 'EntryAutosaved', {}, { title: 'Three', content: 'C' }),
    of('entry-1', 'EntryPublished'),
    of('entry-1', 'EntryAuthorChanged', { author: 5 }),
    of('user-5', 'UserDeleted', { id: 5, heir: 0 }),
    of('entry-1', 'EntrySaved'),
  ];

  async function opened() {
    const directory = await directoryWith(...history.map((one) => commit([one])));
    const { checkpoint, policy } = sign(directory);
    const source = sourceIn(directory, checkpoint);
    const shown = (picked: ReturnType<typeof eventsOfState>) => {
      const made = allowed(makeProof(allowed(picked), source));
      return { made, histories: historiesIn(checkProof(Buffer.from(made.text), policy).events) };
    };
    return { source, shown };
  }

  it('opens for a field only what could have set it', async () => {
    const { source, shown } = await opened();
    const title = shown(eventsOfField('title', { stream: 'entry-1', position: 4 }, source));
    expect(title.made).toMatchObject({ events: 4, opened: [1, 3] });
    expect(title.histories[0]?.fields.get('title')?.[0]).toMatchObject({ value: 'One', until: { position: 5 } });
    const later = shown(eventsOfField('title', { stream: 'entry-1', position: 11 }, source));
    expect(later.made).toMatchObject({ events: 5, opened: [5] });
    const status = shown(eventsOfField('status', { stream: 'entry-1', position: 5 }, source));
    expect(status.made).toMatchObject({ events: 4, opened: [] });
  });

  it('names what an old event opens besides, and shows a password only if that was agreed to', async () => {
    const words = { password: 'Say so.', also: 'Agree.' };
    const asked = async (password: string) => {
      const texts = { title: 'One', content: 'A', excerpt: '', footnotes: '', password };
      const directory = await directoryWith(commit([of('entry-1', 'EntryCreated', created, texts)]));
      const source = sourceIn(directory, sign(directory).checkpoint);
      const picked = allowed(eventsOfField('title', { stream: 'entry-1', position: 1 }, source));
      return allowed(makeProof(picked, source)).opens;
    };
    const open = await asked('');
    expect(opensTooMuch(open, { password: false, also: false }, words)).toMatchObject({
      code: 'proof_opens_more',
      message: expect.stringContaining('opens: title of 1 version. opens also: content of 1 version.'),
    });
    expect(opensTooMuch(open, { password: false, also: true }, words)).toBeNull();
    const secret = await asked('vellum');
    expect(opensTooMuch(secret, { password: false, also: true }, words)).toMatchObject({
      code: 'proof_opens_password',
    });
    expect(opensTooMuch(secret, { password: true, also: true }, words)).toBeNull();
  });

  it('calls an old entry public only for a time without a password', async () => {
    const texts = (password: string) => ({ title: 'One', content: 'A', excerpt: '', footnotes: '', password });
    const asked = async (...events: readonly NewEvent[]) => {
      const directory = await directoryWith(...events.map((one) => commit([one])));
      const source = sourceIn(directory, sign(directory).checkpoint);
      return eventsOfStatus({ stream: 'entry-1', low: 2, high: events.length }, source);
    };
    const [published, saved] = [of('entry-1', 'EntryPublished'), of('entry-1', 'EntrySaved')];
    const locked = of('entry-1', 'EntryCreated', created, texts('vellum'));
    const unlocked = of('entry-1', 'EntryPasswordChanged', {}, { password: '' });
    expect(await asked(locked, published, saved)).toMatchObject({ code: 'not_public' });
    const later = allowed(await asked(locked, published, unlocked, saved));
    expect(later.map(({ opens }) => opens)).toEqual([null, null, ['password'], null]);
    const open = allowed(await asked(of('entry-1', 'EntryCreated', created, texts('')), published, saved));
    expect(open.map(({ opens }) => opens)).toEqual([['password'], null, null]);
    // What was not even published may be shown as such.
    expect(await asked(locked, saved)).toHaveLength(2);
  });

  it('has the loss of an author, whoever inherited in between, for what was public', async () => {
    const { source, shown } = await opened();
    const asked: AskedPeriod = { stream: 'entry-1', low: 3, high: 7 };
    const { made, histories } = shown(eventsOfStatus(asked, source));
    expect(made).toMatchObject({ events: 6, opened: [] });
    const spans = histories.find(({ stream }) => stream === 'entry-1')?.fields.get('status');
    expect(spans?.map(({ value, from, until }) => [value, from.position, until?.position])).toEqual([
      ['publish', 2, 6],
      [undefined, 6, 8],
      ['publish', 8, undefined],
    ]);
    const whole = shown(eventsOfStatus({ stream: 'entry-1', low: 1, high: 11 }, source));
    expect(whole.histories.map(({ stream }) => stream)).toEqual(['entry-1', 'user-4', 'user-5']);
  });
});
