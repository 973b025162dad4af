import { createRequire } from 'node:module';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

export interface LoggerOptions {
  readonly level: Config['logLevel'];
  /** Whether somebody reads along. */
  readonly isTerminal: boolean;
}

const shown = {
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: 'pid,hostname,method,path,status,ms',
  messageFormat: '{msg}{if method} {method} {path} {status} in {ms} ms{end}',
  singleLine: true,
};

/** Makes the log: lines of JSON, or readable ones on a terminal where the package for that is installed. */
export function createLogger({ level, isTerminal }: LoggerOptions): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const target = isTerminal ? prettyPrinter() : null;
  return target === null ? pino(options) : pino(options, pino.transport({ target, options: shown }));
}

function prettyPrinter(): string | null {
  try {
    return createRequire(import.meta.url).resolve('pino-pretty');
  } catch {
    return null;
  }
}
