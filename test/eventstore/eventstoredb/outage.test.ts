import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isConflict, LogUnavailable, OutcomeUnknown } from '#eventstore/port.ts';
import { commit } from '../../support/commits.ts';
import { eventually } from '../../support/patience.ts';
import { slowness } from '../../support/slowness.ts';
import { appendAtHead, positions } from '../../support/store-fixture.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openWireStore, quick, standInForTest } from '../../support/wire-store.ts';

const LEDGER = 'palimpsest-test';
const certificates = join(import.meta.dirname, '../../support/stand-in/certificates');
/** A server that does not respond is noticed soon; no other timeout is reached. */
const alert = { ...quick, deadline: 300 * slowness, appendTimeout: 600_000, start: 600_000 };

/** A log on a server, and everything it reported. */
async function reporting(standIn: { readonly url: string }, timings = alert) {
  const told = { info: [] as string[], warning: [] as string[], error: [] as unknown[] };
  const store = await openWireStore(standIn, {
    timings,
    onInfo: (message) => void told.info.push(message),
    onWarning: (message) => void told.warning.push(message),
    onError: (error) => void told.error.push(error),
  });
  return { store, told };
}

describe('a subscription that the server ends because its reader is too slow', () => {
  it('resumes where it was, is counted, and logs one line at level info', async () => {
    const standIn = await standInForTest();
    const [writer, { store, told }] = [await openWireStore(standIn), await reporting(standIn, quick)];
    for (let round = 1; round <= 3; round++) {
      await eventually(() => expect(standIn.readers).toBe(2));
      standIn.abortStreams();
      await appendAtHead(writer, commit(['a']));
      await eventually(() => expect(store.head().position).toBe(round));
      await eventually(() => expect(store.replica.resubscriptions).toBe(round));
    }
    expect(told.info).toHaveLength(3);
    expect(told.info[2]).toMatch(/Consumer too slow.*Ended so far: 3$/);
    expect([told.warning, told.error]).toEqual([[], []]);
    expect(positions(store.read())).toEqual([1, 2, 3]);
  });
});

describe('an outage of the server', () => {
  it('logs one line when it begins and one when it ends, with its duration and the number of refused writes', async () => {
    const standIn = await standInForTest();
    const { store, told } = await reporting(standIn);
    standIn.stop();
    await eventually(() => expect(store.replica.connected).toBe(false));
    for (let k = 0; k < 5; k++) {
      await expect(appendAtHead(store, commit(['a']))).rejects.toThrow(LogUnavailable);
      store.noteRefused();
    }
    await standIn.start();
    await eventually(() => expect(store.replica.connected).toBe(true));
    expect(told.warning).toEqual([expect.stringMatching(/^The event store cannot be reached \(/)]);
    const back = told.info.filter((line) => !line.startsWith('A subscription'));
    expect(back).toEqual([
      expect.stringMatching(/^The event store answers again after \d+\.\d s; 5 writes were refused$/),
    ]);
    expect(told.error).toEqual([]);
  });

  it('lets writes wait, also those that arrive meanwhile, until it is too long', async () => {
    const standIn = await standInForTest();
    const waiting = { ...alert, grace: 20_000 };
    const { store } = await reporting(standIn, waiting);
    await appendAtHead(store, commit(['a']));
    standIn.faults.role = 'electing';
    const underWay = appendAtHead(store, commit(['b']));
    await eventually(() => expect(store.replica.connected).toBe(false));
    const later = store.append([commit(['c'])], 1);
    standIn.faults.role = 'leader';
    await expect(underWay).resolves.toMatchObject({ position: 2 });
    const answer = await later;
    // Decided on the same position: its writer decides again.
    expect([isConflict(answer), answer.position]).toEqual([true, 2]);
    expect(await appendAtHead(store, commit(['d']))).toMatchObject({ position: 3 });
    const { store: hasty } = await reporting(standIn, { ...alert, grace: 50 });
    standIn.faults.role = 'electing';
    await eventually(() => expect(hasty.replica.lost).toBe(true));
    await expect(appendAtHead(hasty, commit(['e']))).rejects.toThrow(LogUnavailable);
  });

  it('at the start of a node lets the first writes wait', async () => {
    const standIn = await standInForTest();
    const directory = temporaryDirectory();
    const first = await openWireStore(standIn, { directory });
    await appendAtHead(first, commit(['a']));
    first.close();
    standIn.stop();
    const store = await openWireStore(standIn, { directory, timings: { ...alert, grace: 20_000 } });
    expect(store.replica.connected).toBe(false);
    const waiting = appendAtHead(store, commit(['b']));
    await standIn.start();
    expect(await waiting).toMatchObject({ position: 2 });
  });

  it('ends when the leader of a cluster hangs and the others elect a new one', async () => {
    const old = await standInForTest();
    const next = await standInForTest({ storage: old.storage });
    const elect = (leader: number) => {
      for (const one of [old, next]) {
        one.faults.members = [old, next].map(({ port }) => ({ port, isLeader: port === leader }));
        one.faults.leader = { host: '127.0.0.1', port: leader };
        one.faults.role = one.port === leader ? 'leader' : 'follower';
      }
    };
    elect(old.port);
    const { store } = await reporting({ url: `esdb://127.0.0.1:${old.port},127.0.0.1:${next.port}?tls=false` });
    await appendAtHead(store, commit(['a']));
    expect(next.calls.append).toBe(0);
    old.faults.silent = true;
    await eventually(() => expect(store.replica.connected).toBe(false));
    elect(next.port);
    await eventually(() => expect(store.replica.connected).toBe(true));
    expect(await appendAtHead(store, commit(['b']))).toMatchObject({ position: 2 });
    expect(next.calls.append).toBeGreaterThan(0);
  });

  it('does not occur at a follower that names the leader, which gets the appends', async () => {
    const leader = await standInForTest();
    const follower = await standInForTest({ storage: leader.storage });
    follower.faults.role = 'follower';
    follower.faults.leader = { host: '127.0.0.1', port: leader.port };
    const { store } = await reporting(follower);
    await appendAtHead(store, commit(['a']));
    expect(await appendAtHead(store, commit(['b']))).toMatchObject({ position: 2 });
    expect([follower.calls.append, leader.storage.view(LEDGER)?.records.length]).toEqual([0, 2]);
  });

  it('refuses writes as not stored while a cluster has no leader, and accepts them when it has one', async () => {
    const standIn = await standInForTest();
    // Pauses are so long that no attempt is pending when the write is abandoned.
    const { store } = await reporting(standIn, { ...alert, backOff: [2000, 2000] });
    await appendAtHead(store, commit(['a']));
    standIn.faults.role = 'electing';
    await expect(appendAtHead(store, commit(['b']))).rejects.toThrow(LogUnavailable);
    standIn.faults.role = 'leader';
    await eventually(async () => void (await appendAtHead(store, commit(['b']))));
    expect(standIn.storage.view(LEDGER)?.records).toHaveLength(2);
  });

  for (const outcome of ['deposed', 'rejoined'] as const) {
    it(`leaves the outcome of a write without a majority unknown, and a repetition stores it once (${outcome})`, async () => {
      const standIn = await standInForTest();
      const { store } = await reporting(standIn);
      await appendAtHead(store, commit(['a']));
      standIn.faults.isolated = true;
      const mine = commit(['b']);
      const first = store.append([mine], 1).catch((error: unknown) => error);
      // The isolated node still acts as leader; once it is silent, reads fail as well.
      await eventually(() => expect(standIn.keptBack).toBeGreaterThan(0));
      standIn.faults.silent = true;
      expect(await first).toBeInstanceOf(OutcomeUnknown);
      standIn.faults.silent = false;
      standIn.endIsolation(outcome);
      await eventually(() => expect(store.replica.connected).toBe(true));
      // An attempt that was under way may still arrive.
      const stored = () => standIn.storage.view(LEDGER)?.records.length ?? 0;
      if (outcome === 'rejoined') expect(stored()).toBe(2);
      await eventually(() => expect(store.head().position).toBe(stored()));
      const again = await store.append([mine], 1);
      expect(isConflict(again)).toBe(false);
      expect(stored()).toBe(2);
    });
  }
});

describe('a server and a node that reject each other', () => {
  const wrongs = [
    ['user', 'The event store does not accept the user and password of EVENTSTORE_URL'],
    ['rights', 'The event store does not allow the user of EVENTSTORE_URL to read and write the streams of the site'],
  ] as const;

  it.each(wrongs)('make the start fail at once, with one sentence (%s)', async (refuses, sentence) => {
    const standIn = await standInForTest();
    standIn.faults.refuses = refuses;
    await expect(reporting(standIn)).rejects.toThrow(new LogUnavailable(sentence));
  });

  it.each(wrongs)(
    'are reported while the node runs, which recovers when the cause is fixed (%s)',
    async (refuses, sentence) => {
      const standIn = await standInForTest();
      const { store, told } = await reporting(standIn);
      await appendAtHead(store, commit(['a']));
      standIn.faults.refuses = refuses;
      await eventually(() => expect(store.replica.refusal).toBe(sentence));
      await expect(appendAtHead(store, commit(['b']))).rejects.toThrow(LogUnavailable);
      standIn.faults.refuses = null;
      await eventually(() => expect(store.replica).toMatchObject({ refusal: null, connected: true }));
      expect(await appendAtHead(store, commit(['b']))).toMatchObject({ position: 2 });
      expect(told.warning).toEqual([expect.stringContaining(sentence)]);
      expect(told.error).toEqual([]);
    },
  );

  const secure = () =>
    standInForTest({
      tls: {
        key: readFileSync(join(certificates, 'server-key.pem')),
        certificate: readFileSync(join(certificates, 'server.pem')),
      },
    });

  it('make the start fail at once if the certificate is not from a trusted authority, or is for another name', async () => {
    const standIn = await secure();
    await expect(reporting(standIn)).rejects.toThrow(/not from an authority that this node trusts: set tlsCAFile/);
    const url = `esdb://user:secret@127.0.0.1:${standIn.port}?tlsCAFile=${join(certificates, 'authority.pem')}`;
    await expect(reporting({ url })).rejects.toThrow('is for other names than the one in EVENTSTORE_URL');
  });

  it('make the start fail at once if the server takes only TLS and the address has tls=false', async () => {
    const { port } = await secure();
    const start = reporting({ url: `esdb://127.0.0.1:${port}?tls=false` });
    await expect(start).rejects.toThrow(`at 127.0.0.1:${port} takes only TLS, but EVENTSTORE_URL has tls=false`);
  });

  it('make the start fail at once if the authority’s file does not exist', async () => {
    const url = 'esdb://user:secret@localhost:1?tlsCAFile=/nowhere/authority.pem';
    await expect(reporting({ url })).rejects.toThrow(/^The file that tlsCAFile in EVENTSTORE_URL names cannot be read/);
  });

  it('accept each other without warnings when the authority’s file is given', async () => {
    const standIn = await secure();
    const { store, told } = await reporting({ url: `${standIn.url}?tlsCAFile=${join(certificates, 'authority.pem')}` });
    expect(await appendAtHead(store, commit(['a']))).toMatchObject({ position: 1 });
    expect(told.warning).toEqual([]);
  });
});
