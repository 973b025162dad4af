import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { patience } from '../support/patience.ts';

const program = `
  import { createLogger } from '#ops/logger.ts';
  const logger = createLogger({ level: 'info', isTerminal: false });
  logger.info('read');
  process.stdin.once('data', () => {
    logger.info('lost');
    if (process.argv[1] === 'fatal') logger.fatal('lost, too');
    process.exit(0);
  });
`;

it.each(['last line', 'fatal'])('a process can exit after the reader of its log has gone: %s', async (name) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, name], { timeout: patience });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.stdout.destroy();
  child.stdin.end('go');
  expect(await ended).toEqual([0, null]);
});
