import { setTimeout as wait } from 'node:timers/promises';
import { inPluginSession, pluginReader } from '#commands/plugin-model.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Uploads } from '#media/uploads.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import { detach, type Fail, type Stop } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Plugin } from '../../../plugin/contract.ts';
import type { JobCall, PluginJob } from '../../../plugin/jobs.ts';
import { loadedPlugins } from '../../../plugin/loaded.ts';
import { mediaFilesOf, settingsFor } from './facts.ts';

export interface JobParts {
  readonly model: () => Model;
  readonly submit: (context: WriteContext, work: (session: Session) => unknown) => Promise<unknown>;
  readonly uploads: Uploads;
  readonly outgoing: Outgoing;
  readonly settings: PluginSettings;
}

/** A job of a plugin on a node. */
export interface NodeJob {
  readonly isDue: () => boolean;
  /** False if something is left that is worth another attempt. */
  readonly work: () => Promise<boolean>;
}

/** The jobs of all plugins, which are the same whatever the deployment. */
export function createJobs(parts: JobParts): readonly NodeJob[] {
  return loadedPlugins.flatMap((plugin) =>
    plugin.jobs.map((create) => {
      const job = create();
      return { isDue: () => job.isDue(pluginReader(parts.model())), work: () => job.work(callOf(job, plugin, parts)) };
    }),
  );
}

/** Milliseconds between attempts. */
const pause = 60_000;

/** Does the jobs whenever they are due, each one once at a time. */
export function startJobs(
  jobs: readonly NodeJob[],
  { changed, onFault }: { readonly changed: (listener: () => void) => Stop; readonly onFault: Fail },
): Stop {
  const stops = jobs.map((job) => startJob(job, changed, onFault));
  return () => {
    for (const stop of stops) stop();
  };
}

function startJob({ isDue, work }: NodeJob, changed: (listener: () => void) => Stop, onFault: Fail): Stop {
  const stopped = new AbortController();
  const { signal } = stopped;
  let isWorking = false;
  const run = async () => {
    while (isDue() && !signal.aborted) if (!(await work())) await wait(pause, null, { signal, ref: false });
  };
  // Called for every commit, so that a fault of a plugin must end here.
  const isWaiting = () => {
    try {
      return isDue();
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  const begin = () => {
    if (isWorking || !isWaiting()) return;
    isWorking = true;
    const done = () =>
      run().finally(() => {
        isWorking = false;
      });
    detach(done, (error) => void (signal.aborted || onFault(error)));
  };
  const stop = changed(begin);
  begin();
  return () => {
    stop();
    stopped.abort();
  };
}

function callOf(
  { name }: PluginJob,
  plugin: Plugin,
  { model, submit, uploads, outgoing, settings }: JobParts,
): JobCall {
  const context: WriteContext = { viewer: null, correlationId: name };
  return {
    model: () => pluginReader(model()),
    settings: settingsFor(plugin, settings),
    mediaFiles: (id) => mediaFilesOf(id, model()),
    fetch: (address, wanted) => outgoing.get(address, wanted),
    async submit(work) {
      await submit(context, (session) => inPluginSession(session, work));
    },
    async keepImage(bytes, like, change) {
      const work = uploads.open();
      let isSure = false;
      try {
        const kept = await work.form(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), like);
        if (kept === null) return false;
        await submit(context, (session) => inPluginSession(session, (own) => change(own, kept)));
        isSure = true;
        return true;
      } finally {
        await work.close(isSure);
      }
    },
  };
}
