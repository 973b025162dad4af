import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '#config.ts';

import { callControl, controlPath } from '#ops/control.ts';

import { performLocally } from '#ops/local-verb.ts';
import { run } from '#ops/run.ts';
import { openHere, performOnStore, requireLog } from '#ops/store-verb.ts';
import { UsageError } from '#ops/verb.ts';
import { loadFor } from '#ops/verb-files.ts';

// Files that verbs create in the data directory are private to the user.
process.umask(0o077);

/** Verbs that may create a site in an empty data directory. */
const beginning = ['user add', 'tools set'];

const argv = process.argv.slice(2);
const verbs = await loadFor(argv);

process.exitCode = await run(argv, {
  verbs,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  reach: (name, args, json) => {
    const verb = verbs.find((candidate) => candidate.name === name);
    return verb !== undefined && 'here' in verb
      ? performLocally(verb, args, { settings: config, json })
      : performOnStore(waysTo(config(), name), name, args);
  },
});

function waysTo(config: Config, name: string) {
  return {
    call: (verb: string, args: unknown) => callControl(controlPath(config.dataDir), verb, args),
    open: async () => {
      if (!beginning.includes(name)) requireLog(config);
      return openHere(config, verbs);
    },
    silence() {
      const path = controlPath(config.dataDir);
      return existsSync(path)
        ? ''
        : `: ${path} is not there. A server makes it when it has started; if it was removed, restart the server`;
    },
  };
}

function config(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
