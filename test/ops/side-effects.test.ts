import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { settleHook } from '#commands/hooks.ts';
import { uploadMedia } from '#commands/media.ts';
import { stageIn } from '#commands/plugins.ts';
import { startScheduler } from '#commands/scheduler.ts';
import type { Session } from '#commands/session.ts';
import { addUser } from '#commands/users.ts';
import { post } from '#domain/entry/kinds.ts';
import { hooks } from '#domain/hooks/area.ts';
import { addHook } from '#domain/hooks/decide.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { gmtNow } from '#domain/time/local.ts';
import { sourceOf } from '#http/feed/source.ts';
import { startHooks } from '#http/hooks/start.ts';
import { createJobs, type NodeJob } from '#http/tables/plugins/jobs.ts';
import type { Node } from '#node/node.ts';
import type { Posted } from '#outgoing/post.ts';
import { cacheImages } from '#plugins/cache/images/area.ts';
import { entries } from '#projections/entries/definition.ts';
import { removeProjections } from '#projections/projector/database.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { carryOut } from '../support/place.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { pngOf } from '../support/uploads.ts';

const writes = ['publish', 'change', 'schedule', 'upload', 'an hour passes'] as const;
const acts = ['restart', 'upgrade', 'import', 'restore', 'look back', 'send on'] as const;
type Step = (typeof writes)[number] | (typeof acts)[number] | 'rebuild';

const hour = 3_600_000;
const start = Date.parse('2026-03-01T11:00:00.000Z');
const server = 'https://optimiser.example';
/** Settings of the plugin that fetches finished images. */
const optimiser = { optimiserHosts: ['optimiser.example'] };

/** A site over its whole life, and all that left it. */
class Life {
  readonly sent: string[] = [];
  readonly fetched: string[] = [];
  #now = start;
  #count = 0;
  #directory = temporaryDirectory();
  #node: Node | null = null;
  #jobs: readonly NodeJob[] = [];
  #stop: () => void = () => undefined;

  async begin(): Promise<void> {
    await this.#open();
    await this.#submit((session) => addUser(session, { login: 'ada', role: 'administrator' }));
    await this.#submit((session) => {
      const draft = { resources: [], changes: [], statuses: [], user: 1, address: 'https://hook.example/take' };
      const events = addHook(session.plugin(hooks), { ...draft, secret: 'x'.repeat(32) });
      if (isRefusal(events)) throw new Error(events.code);
      return settleHook(session, 1, events);
    });
    await this.#settle();
  }

  async take(step: Step): Promise<void> {
    await this.#steps[step]();
    await this.#settle();
  }

  async end(): Promise<readonly string[]> {
    const types = [...this.#opened.log.read({})].flatMap(({ type, stream }) =>
      type === 'EntryReleased' ? stream : [],
    );
    await this.#close();
    return types;
  }

  readonly #steps: Readonly<Record<Step, () => Promise<unknown>>> = {
    publish: () => this.#submit((session) => createEntry(session, post, { title: 'One', status: 'publish' })),
    change: () =>
      this.#submit((session) => {
        const first = session.entry(1) ?? session.entry(2);
        if (first !== undefined) saveEntry(session, first.id, { title: `Changed ${this.#count++}` });
      }),
    schedule: () => {
      const gmt = new Date(this.#now + hour / 2).toISOString().slice(0, 19);
      const date = { local: new Date(this.#now + 1.5 * hour).toISOString().slice(0, 19), gmt };
      return this.#submit((session) => createEntry(session, post, { title: 'Later', status: 'publish', date }));
    },
    upload: async () => {
      const { store } = this.#opened;
      const work = store.uploads.open();
      const arrived = await work.receive(Readable.from([pngOf(8, 8)]), { md5: false });
      if (arrived === null) throw new Error('the file is too large');
      const file = await work.store(arrived, { name: 'a.png', title: null, resizes: false });
      if (typeof file === 'string') throw new Error(file);
      await this.#submit((session) => {
        const id = Number(uploadMedia(session, file, {}));
        const none = { total: 0, saved: 0 };
        const files = [{ form: 'webp' as const, path: `/${id}`, md5: 'x' }];
        const item = { id, digest: file.hash, original: none, webp: none, avif: none, files };
        stageIn(session, cacheImages, [{ type: 'ImagesNotified', data: { server, items: [item] } }]);
      });
      await work.close(true);
    },
    'an hour passes': async () => {
      this.#now += hour;
    },
    restart: () => this.#reopen(),
    upgrade: () => this.#reopen(() => removeProjections(join(this.#directory, 'projections.db'))),
    rebuild: () => this.#reopen(() => this.#carryOut('rebuild', { projection: [] })),
    import: () =>
      this.#reopen(() => this.#moved('export', 'import', (copy) => ({ file: `${copy}.ndjson`, media: copy }))),
    restore: () => this.#reopen(() => this.#moved('backup', 'restore', (copy) => ({ directory: copy }))),
    // After a move it is not known where hooks go on, until somebody says it.
    'send on': async () => this.#opened.store.hooks.progress.move(1, this.#opened.log.head().position),
    'look back': async () => {
      const { store, log } = this.#opened;
      const position = Math.ceil(log.head().position / 2);
      expect(store.past.at(position).position).toBe(position);
    },
  };

  async #open(): Promise<void> {
    const clock = () => this.#now;
    const { node, config } = await openTestNode(this.#directory, { clock, keepSite: true });
    const { store } = node;
    const fail = (error: unknown) => expect.unreachable(String(error));
    this.#node = node;
    this.#jobs = createJobs({
      ...{ model: () => store.reader, uploads: store.uploads, submit: store.submit },
      settings: { ...config.plugins, ...optimiser },
      outgoing: {
        get: async (address) => {
          this.fetched.push(address);
          return { ok: true, url: new URL(address), status: 404, type: '', body: Buffer.alloc(0) };
        },
      },
    });
    this.#stop = startHooks({
      ...{ source: sourceOf(store), progress: store.hooks.progress, clock, random: () => 0, onFault: fail },
      version: () => store.cacheVersions.of('plugins'),
      sleep: () => turn(),
      poster: { post: async (_, { body }) => this.#take(body) },
      witness: { taken() {}, failed: fail, recovered() {}, stopped: fail, lost() {} },
      stop: async () => fail('a hook was stopped'),
    });
  }

  #take(body: string): Posted {
    for (const { position, changes } of JSON.parse(body).data.commits) {
      for (const { resource, id, what } of changes) this.sent.push(`${position} ${resource} ${id} ${what}`);
    }
    return { ok: true, status: 204, retryAfter: 0 };
  }

  async #reopen(meanwhile: () => unknown = () => undefined): Promise<void> {
    await this.#close();
    await meanwhile();
    await this.#open();
  }

  async #close(): Promise<void> {
    this.#stop();
    await this.#node?.close();
  }

  /** Moves the site to another folder by way of a copy. */
  async #moved(out: string, back: string, argsFor: (copy: string) => Record<string, string>): Promise<void> {
    const args = argsFor(join(temporaryDirectory(), 'copy'));
    await this.#carryOut(out, args);
    this.#directory = temporaryDirectory();
    await this.#carryOut(back, args);
  }

  async #carryOut(name: string, args: Record<string, unknown> = {}): Promise<void> {
    const outcome = await carryOut(this.#directory, name, args);
    expect(outcome).toMatchObject({ kind: 'done' });
  }

  /** Until everything has happened that is due. */
  async #settle(): Promise<void> {
    const { store, log } = this.#opened;
    const stop = startScheduler({
      ...{ entries: () => store.reader.of(entries), writer: store, clock: () => this.#now },
      onError: (error) => expect.unreachable(String(error)),
    });
    const isDue = () => store.reader.of(entries).due(gmtNow(this.#now)).length > 0;
    await eventually(() => expect(isDue()).toBe(false));
    stop();
    for (const job of this.#jobs) while (job.isDue()) await job.work();
    if (store.hooks.progress.of(1) === null) return;
    // What hooks are told comes in the order of the log.
    await this.#submit((session) => createEntry(session, post, { title: 'Last', status: 'publish' }));
    const last = `${log.head().position} `;
    await eventually(() => expect(this.sent.some((one) => one.startsWith(last))).toBe(true));
  }

  #submit(work: (session: Session) => unknown): Promise<unknown> {
    return this.#opened.store.submit(admin, work);
  }

  get #opened(): Node {
    if (this.#node === null) throw new Error('the site is not open');
    return this.#node;
  }
}

it('what leaves a site does so once, and what is scheduled happens once, whatever operators do', async () => {
  const step = fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...writes) },
    { weight: 10, arbitrary: fc.constantFrom(...acts) },
    // In a process of its own, which takes long to start.
    { weight: 1, arbitrary: fc.constant('rebuild' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (taken) => {
      const life = new Life();
      await life.begin();
      for (const one of taken) await life.take(one);
      const released = await life.end();
      for (const effects of [life.sent, life.fetched, released]) expect(effects).toEqual([...new Set(effects)]);
    }),
    { numRuns: 30 },
  );
});
