import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import type { Config } from '../config.ts';

export interface LoggerOptions {
  readonly level: Config['logLevel'];
  readonly isTerminal: boolean;
}

const shown = {
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: 'pid,hostname,method,path,status,ms',
  messageFormat: '{msg}{if method} {method} {path} {status} in {ms} ms{end}',
  singleLine: true,
};

/** Maximum number of buffered characters; further lines are dropped. */
const maxHeld = 1 << 20;
/** Maximum number of attempts, a tenth of a second apart, to write to a blocked reader. */
const maxTries = 50;

/** Creates the logger: JSON lines, or readable ones on a terminal if the package for that is installed. */
export function createLogger({ level, isTerminal }: LoggerOptions): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const target = isTerminal ? prettyPrinter() : null;
  return pino(options, target === null ? standardOutput() : pino.transport({ target, options: shown }));
}

/** Writes asynchronously. If the reader blocks or the disk is full, lines are lost and the server continues. */
function standardOutput(): DestinationStream {
  let tries = 0;
  const retryEAGAIN = () => ++tries <= maxTries;
  const stream = new sonicBoom.SonicBoom({ fd: 1, maxLength: maxHeld, retryEAGAIN });
  stream.on('write', () => {
    tries = 0;
  });
  const flushSync = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    try {
      flushSync();
    } catch {}
  };
  stream.on('error', () => undefined);
  process.once('exit', stream.flushSync);
  return stream;
}

function prettyPrinter(): string | null {
  try {
    return createRequire(import.meta.url).resolve('pino-pretty');
  } catch {
    return null;
  }
}
