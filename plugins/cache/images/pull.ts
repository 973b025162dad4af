import { createHash } from 'node:crypto';
import type { JobCall, PluginJob } from 'palimpsest/plugin';
import { cacheCloud } from '../cloud/area.ts';
import { takeNotes } from '../cloud/decide.ts';
import { cacheSettings } from '../settings.ts';
import { cacheImages, siteKey, type WaitingForm } from './area.ts';
import { refuseForm, takeForm } from './decide.ts';
import { isOptimiser } from './notify.ts';

/** Attempts to fetch an image before it is given up. */
const maxTries = 5;

/** Fetches finished images from their optimisers. */
export function imagePuller(): PluginJob {
  const tries = new Map<string, number>();
  const pullOne = async (waiting: WaitingForm, call: JobCall): Promise<boolean> => {
    const key = JSON.stringify(waiting);
    const tried = (tries.get(key) ?? 0) + 1;
    const outcome = await fetchForm(waiting, call);
    if (outcome === 'taken') return true;
    if (outcome.isFinal || tried >= maxTries) {
      tries.delete(key);
      await refuse(waiting, outcome.reason, call);
      return true;
    }
    tries.set(key, tried);
    return false;
  };
  return {
    name: 'optimised-images',
    isDue: (model) => model.document(cacheImages, siteKey).waiting.length > 0,
    async work(call) {
      let isDone = true;
      for (const one of call.model().document(cacheImages, siteKey).waiting)
        isDone = (await pullOne(one, call)) && isDone;
      return isDone;
    },
  };
}

type Failed = { readonly reason: string; readonly isFinal: boolean };

async function fetchForm(waiting: WaitingForm, call: JobCall): Promise<'taken' | Failed> {
  const { id, form, md5 } = waiting;
  const media = call.mediaFiles(id);
  const url = addressOf(waiting, call.settings(cacheSettings).optimiserHosts);
  const files = media?.files ?? [];
  const source = waiting.of === undefined ? files[0] : files.find(({ hash }) => hash === waiting.of);
  if (media === undefined || source === undefined) return final('there is no such image');
  if (url === null) return final('it is not on a server of the optimiser');
  const type = form === 'original' ? media.type : `image/${form}`;
  const got = await call.fetch(url.href, { accept: type, maxBytes: source.bytes - 1 });
  if (!got.ok && got.why === 'too large') return final('it is not smaller');
  if (!got.ok) return { reason: `it could not be fetched (${got.why})`, isFinal: got.why === 'not public' };
  if (got.status !== 200) return { reason: `it could not be fetched (${got.status})`, isFinal: got.status < 500 };
  if (createHash('md5').update(got.body).digest('hex') !== md5) return final('its digest differs');
  const { width, height } = source;
  const isKept = await call.keepImage(got.body, { type, width, height }, (model, kept) => {
    const file = { id, form, of: source.hash, type, ...kept };
    model.stage(cacheImages, takeForm(model.document(cacheImages, siteKey), file));
  });
  return isKept ? 'taken' : final(`it is no ${type} of the same size`);
}

function addressOf({ server, path }: WaitingForm, hosts: readonly string[]): URL | null {
  const base = URL.canParse(server) ? server : `https://${server}`;
  const url = URL.parse(path, `${base.replace(/(?<!\/)\/+$/, '')}/`);
  return url !== null && isOptimiser(url.href, hosts) ? url : null;
}

async function refuse({ id, form, of }: WaitingForm, reason: string, { submit }: JobCall): Promise<void> {
  await submit((model) => {
    const refused = { id, form, reason, ...(of === undefined ? {} : { of }) };
    const events = refuseForm(model.document(cacheImages, siteKey), refused);
    model.stage(cacheImages, events);
    if (events.length === 0) return;
    const text = `The optimised image ${id} (${form}) is not used: ${reason}.`;
    const notes = { notices: [{ level: 'error' as const, text }], usage: undefined };
    model.stage(cacheCloud, takeNotes(model.document(cacheCloud), 'img_optm', notes));
  });
}

function final(reason: string): Failed {
  return { reason, isFinal: true };
}
