import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { openPastState, type PastState } from '#node/past-state.ts';
import { positionOf } from '#projections/past/past.ts';
import { siteInLog } from '#projections/site/definition.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { addressOf } from '../config.ts';
import type { Outcome } from './outcome.ts';
import type { PastLooking, PastSite } from './past-site.ts';
import { Stopped } from './progress.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';

/** Shows the whole site at a past position, read-only. */
export const replay = defineLocalVerb({
  name: 'replay',
  summary: 'Shows the whole site as it was: prints one answer, or serves it read-only.',
  example: 'replay --at 2026-03-01T12:00:00 --get "/cms-json/cms/v2/posts?status=any" --as ada',
  args: z.object({
    at: z.string().describe('position in the log, or a date and time (in the zone of the site)'),
    get: z.string().regex(/^\//, 'must begin with a slash').optional().describe('path of the answer to print'),
    as: z.string().optional().describe('login of the user who sends the request; default: anonymous'),
    serve: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port')
      .refine((text) => Number(text) < 65_536, 'must be a port')
      .optional()
      .describe('port on HOST to serve on until Ctrl-C; accounts and passwords are those of that time'),
  }),
  here: async (place, { at, get, as, serve }) => {
    if ((get === undefined) === (serve === undefined)) throw new UsageError('either --get or --serve is needed');
    if (as !== undefined && get === undefined) throw new UsageError('--as goes with --get');
    const logPath = join(place.config.dataDir, 'log.db');
    if (!existsSync(logPath)) return { kind: 'unavailable', message: `there is no event log at ${logPath}` };
    const log = openSqliteStore({ path: logPath, readOnly: true });
    try {
      const zone = siteInLog(log, log.head().position).timezone;
      const found = positionOf(at, { log, zone });
      if (isRefusal(found)) return { kind: 'refused', code: found.code, message: found.message };
      const { position } = found;
      const state = await pastStateAt(place, { log, position });
      try {
        return get === undefined
          ? await serveOn({ place, state, position }, Number(serve))
          : await print({ place, state, position }, get, as);
      } finally {
        state.close();
      }
    } finally {
      log.close();
    }
  },
});

/** Milliseconds between two steps of the background work that speeds up searches. */
const pause = 25;

interface Shown {
  readonly place: VerbPlace;
  readonly state: PastState;
  readonly position: number;
}

/** Makes projections that no server keeps. */
const script = new URL('./rebuild-script.ts', import.meta.url);

/** The site as of a position. The projections are brought to the end of the log, wherever the position is. */
export async function pastStateAt(
  { config, progress, signal }: VerbPlace,
  { log, position }: { readonly log: EventStore; readonly position: number },
): Promise<PastState> {
  const shown = progress({ name: 'putting the site together', total: log.head().position, unit: 'events' });
  try {
    const onProgress = (done: number) => void shown.at(done).catch(() => undefined);
    return await openPastState({ config, log, position, script, signal, onProgress });
  } catch (error) {
    if (signal.aborted) throw new Stopped('stopped');
    throw error;
  } finally {
    shown.end();
  }
}

async function whileServed(
  { place: { config }, state }: Shown,
  { looking, ...listen }: { readonly host: string; readonly port: number; readonly looking: PastLooking },
  use: (site: PastSite, port: number) => Promise<Outcome>,
): Promise<Outcome> {
  // Imported lazily, since other verbs need no server.
  const { pastSite } = await import('./past-site.ts');
  const site = await pastSite(state, config, looking);
  if (isRefusal(site)) return { kind: 'refused', code: site.code, message: site.message };
  try {
    await site.app.listen(listen);
    return await use(site, (site.app.server.address() as AddressInfo).port);
  } finally {
    await site.app.close();
  }
}

function print(shown: Shown, path: string, login: string | undefined): Promise<Outcome> {
  return whileServed(shown, { host: '127.0.0.1', port: 0, looking: { login } }, async ({ headers }, port) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
    shown.place.output.write(`${await answer.text()}\n`);
    return { kind: answer.ok ? 'done' : 'wrong', value: null, text: '' };
  });
}

function serveOn(shown: Shown, port: number): Promise<Outcome> {
  const { config, json, signal, output } = shown.place;
  let served = '';
  const looking = { served: () => served };
  return whileServed(shown, { host: config.host, port, looking }, async (_, taken) => {
    const { state } = shown;
    served = addressOf(config.host, taken);
    state.reader.serveAt(served);
    const address = `${interfaceUrl(state.reader.site())}/`;
    const said = json
      ? JSON.stringify({ position: shown.position, address })
      : `Position ${shown.position} on ${address} until Ctrl-C`;
    output.write(`${said}\n`);
    const indexing = setInterval(() => state.work(), pause);
    if (!signal.aborted) await once(signal, 'abort');
    clearInterval(indexing);
    return { kind: 'done', value: null, text: '' };
  });
}
