import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainedEvent, isChainFault, verifyChain } from '#eventstore/chain.ts';
import { commit, event, time } from '../support/commits.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { appendAtHead } from '../support/store-fixture.ts';

const log = await sampleLog();
const anyIndex = fc.nat(log.length - 1);

/** Ways to tamper with a stored event, one change each. */
const changes: Record<string, (event: ChainedEvent) => Partial<ChainedEvent>> = {
  position: (e) => ({ position: e.position + 1 }),
  stream: (e) => ({ stream: `${e.stream}x` }),
  revision: (e) => ({ revision: e.revision + 1 }),
  type: () => ({ type: 'Forged' }),
  v: (e) => ({ v: e.v + 1 }),
  id: (e) => ({ id: e.id.replace(/^./, (c) => (c === '0' ? '1' : '0')) }),
  data: (e) => ({ data: `${e.data} ` }),
  'sealed text': (e) => ({ sealed: `${e.sealed ?? ''} ` }),
  salt: (e) => (e.sealed === null ? { sealedDigest: '0' } : { salt: '0'.repeat(32) }),
  'missing salt': (e) => (e.sealed === null ? { sealedDigest: '0' } : { salt: null }),
  'sealed digest': () => ({ sealedDigest: '0'.repeat(64) }),
  'earlier time': () => ({ at: time(-1) }),
  'later time': (e) => ({ at: e.at.replace('.', '.9').slice(0, 23).concat('Z') }),
  actor: () => ({ actor: 99 }),
  'no actor': () => ({ actor: null }),
  correlation: () => ({ correlationId: 'forged' }),
  cause: () => ({ causationId: 'forged' }),
  'commit id': (e) => ({ commit: { ...e.commit, id: 'forged' } }),
  'place in the commit': (e) => ({ commit: { ...e.commit, i: e.commit.i + 1 } }),
  'size of the commit': (e) => ({ commit: { ...e.commit, n: e.commit.n + 1 } }),
  hash: (e) => ({ hash: e.hash === null ? 'f'.repeat(64) : null }),
  'another hash': () => ({ hash: 'f'.repeat(64) }),
};

describe('the hash chain', () => {
  it('of an intact log ends at its head, verified from the start or from any commit', () => {
    expect(verifyChain(log)).toEqual(headAt(log.length));
    for (const { position, hash } of log) {
      if (hash !== null) expect(verifyChain(log.slice(position), headAt(position))).toEqual(headAt(log.length));
    }
  });

  it('of no events ends where it starts', () => {
    expect(verifyChain([])).toEqual({ position: 0, hash: '0'.repeat(64), at: null });
    expect(verifyChain([], headAt(log.length))).toEqual(headAt(log.length));
  });

  for (const [what, change] of Object.entries(changes)) {
    it(`reveals a change of an event's ${what}, at that event or the start of its commit`, () => {
      fc.assert(
        fc.property(anyIndex, (index) => {
          const forged = log.map((e, i) => (i === index ? { ...e, ...change(e) } : e));
          expect(faultPosition(forged)).toSatisfy(within(index));
        }),
      );
    });
  }

  it('reveals the removal of any event but the last', () => {
    fc.assert(
      fc.property(fc.nat(log.length - 2), (index) => {
        expect(faultPosition(log.toSpliced(index, 1))).toBeGreaterThan(0);
      }),
    );
  });

  it('reveals two swapped events', () => {
    fc.assert(
      fc.property(anyIndex, anyIndex, (a, b) => {
        fc.pre(a !== b);
        const [one, two] = [log[a], log[b]];
        if (one === undefined || two === undefined) return;
        const forged = log.with(a, { ...two, position: one.position }).with(b, { ...one, position: two.position });
        expect(faultPosition(forged)).toBeGreaterThan(0);
      }),
    );
  });

  it('reveals a truncated commit, at its first event', () => {
    for (const [index, e] of log.entries()) {
      if (e.hash !== null) continue;
      expect(verifyChain(log.slice(0, index + 1))).toMatchObject({ position: e.position - e.commit.i });
    }
  });

  it('is valid without the last commit, but ends at an earlier head', () => {
    const cut = log.findLastIndex((e, i) => e.hash !== null && i < log.length - 1) + 1;
    expect(verifyChain(log.slice(0, cut))).toEqual(headAt(cut));
  });

  it('stays valid when sealed texts are erased together with their salts', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: log.length, maxLength: log.length }), (erased) => {
        const left = log.map((e, i) => (erased[i] ? { ...e, sealed: null, salt: null } : e));
        expect(verifyChain(left)).toEqual(headAt(log.length));
      }),
    );
  });
});

async function sampleLog(): Promise<ChainedEvent[]> {
  const store = openMemoryStore();
  for (let k = 0; k < 12; k += 1) {
    const events = Array.from({ length: 1 + (k % 4) }, (_, i) =>
      event(`entry-${(k + i) % 3}`, { data: `{"k":${k}}`, sealed: (k + i) % 2 === 0 ? `{"text":"${k}"}` : null }),
    );
    await appendAtHead(store, commit(events, { at: time(k * 50), causationId: k % 2 === 0 ? null : 'cause' }));
  }
  return [...store.chain()];
}

function headAt(position: number) {
  const { hash = null, at = null } = log[position - 1] ?? {};
  return { position, hash: hash ?? '', at };
}

function faultPosition(events: Iterable<ChainedEvent>): number {
  const end = verifyChain(events);
  return isChainFault(end) ? end.position : 0;
}

/** From the first event of the commit to the event after the forged one, where a wrong index may show. */
function within(index: number): (position: number) => boolean {
  const forged = log[index];
  const first = index + 1 - (forged?.commit.i ?? 0);
  return (position) => position >= first && position <= index + 2;
}
