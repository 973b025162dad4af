import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { stageIn } from '#commands/plugins.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import { cacheCloud } from '#domain/plugins/cache-cloud/area.ts';
import { takeNotes } from '#domain/plugins/cache-cloud/decide.ts';
import { cacheImages, siteKey, type WaitingForm } from '#domain/plugins/cache-images/area.ts';
import { refuseForm, takeForm } from '#domain/plugins/cache-images/decide.ts';
import type { Uploads } from '#media/uploads.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import { detach, type Fail, type Stop } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import { isOptimiser } from './notify-images.ts';
import { optimisableFiles } from './optimisable.ts';

export interface PullerParts {
  readonly model: () => Model;
  readonly submit: (context: WriteContext, work: (session: Session) => unknown) => Promise<unknown>;
  readonly uploads: Uploads;
  readonly outgoing: Outgoing;
  readonly hosts: readonly string[];
}

export interface ImagePuller {
  /** Fetches all waiting images; false if some failed and are worth another attempt. */
  pull(): Promise<boolean>;
}

const context: WriteContext = { viewer: null, correlationId: 'optimised-images' };
/** Attempts to fetch an image before it is given up. */
const maxTries = 5;
/** Milliseconds between attempts. */
const pause = 60_000;

export function createImagePuller(parts: PullerParts): ImagePuller {
  const tries = new Map<string, number>();
  const pullOne = async (waiting: WaitingForm): Promise<boolean> => {
    const key = JSON.stringify(waiting);
    const tried = (tries.get(key) ?? 0) + 1;
    const outcome = await fetchForm(waiting, parts);
    if (outcome === 'taken') return true;
    if (outcome.isFinal || tried >= maxTries) {
      tries.delete(key);
      await refuse(waiting, outcome.reason, parts);
      return true;
    }
    tries.set(key, tried);
    return false;
  };
  return {
    async pull() {
      const { waiting } = parts.model().plugin(cacheImages, siteKey);
      let isDone = true;
      for (const one of waiting) isDone = (await pullOne(one)) && isDone;
      return isDone;
    },
  };
}

export function startPulling(
  { pull }: ImagePuller,
  {
    model,
    changed,
    onFault,
  }: { readonly model: () => Model; readonly changed: (listener: () => void) => Stop; readonly onFault: Fail },
): Stop {
  const stopped = new AbortController();
  const { signal } = stopped;
  let isPulling = false;
  const waits = () => model().plugin(cacheImages, siteKey).waiting.length > 0;
  const work = async () => {
    while (waits() && !signal.aborted) if (!(await pull())) await wait(pause, null, { signal, ref: false });
  };
  const begin = () => {
    if (isPulling || !waits()) return;
    isPulling = true;
    const run = () =>
      work().finally(() => {
        isPulling = false;
      });
    detach(run, (error) => void (signal.aborted || onFault(error)));
  };
  const stop = changed(begin);
  begin();
  return () => {
    stop();
    stopped.abort();
  };
}

type Failed = { readonly reason: string; readonly isFinal: boolean };

async function fetchForm(waiting: WaitingForm, parts: PullerParts): Promise<'taken' | Failed> {
  const { id, form, md5 } = waiting;
  const row = parts.model().media(id);
  const url = addressOf(waiting, parts.hosts);
  const files = row === undefined ? [] : optimisableFiles(row);
  const source = waiting.of === undefined ? files[0] : files.find(({ hash }) => hash === waiting.of);
  if (row === undefined || source === undefined) return final('there is no such image');
  if (url === null) return final('it is not on a server of the optimiser');
  const type = form === 'original' ? row.type : `image/${form}`;
  const got = await parts.outgoing.get(url.href, { accept: type, maxBytes: source.bytes - 1 });
  if (!got.ok && got.why === 'too large') return final('it is not smaller');
  if (!got.ok) return { reason: `it could not be fetched (${got.why})`, isFinal: got.why === 'not public' };
  if (got.status !== 200) return { reason: `it could not be fetched (${got.status})`, isFinal: got.status < 500 };
  if (createHash('md5').update(got.body).digest('hex') !== md5) return final('its digest differs');
  const work = parts.uploads.open();
  let isSure = false;
  try {
    const kept = await work.form(got.body, { type, width: source.width, height: source.height });
    if (kept === null) return final(`it is no ${type} of the same size`);
    await parts.submit(context, (session) => {
      const file = { id, form, of: source.hash, type, ...kept };
      stageIn(session, cacheImages, takeForm(session.plugin(cacheImages, siteKey), file));
    });
    isSure = true;
    return 'taken';
  } finally {
    await work.close(isSure);
  }
}

function addressOf({ server, path }: WaitingForm, hosts: readonly string[]): URL | null {
  const base = URL.canParse(server) ? server : `https://${server}`;
  const url = URL.parse(path, `${base.replace(/\/+$/, '')}/`);
  return url !== null && isOptimiser(url.href, hosts) ? url : null;
}

async function refuse(waiting: WaitingForm, reason: string, { submit }: PullerParts): Promise<void> {
  const { id, form, of } = waiting;
  await submit(context, (session) => {
    const refused = { id, form, reason, ...(of === undefined ? {} : { of }) };
    const events = refuseForm(session.plugin(cacheImages, siteKey), refused);
    stageIn(session, cacheImages, events);
    if (events.length === 0) return;
    const text = `The optimised image ${id} (${form}) is not used: ${reason}.`;
    const notes = { notices: [{ level: 'error' as const, text }], usage: undefined };
    stageIn(session, cacheCloud, takeNotes(session.plugin(cacheCloud), 'img_optm', notes));
  });
}

function final(reason: string): Failed {
  return { reason, isFinal: true };
}
