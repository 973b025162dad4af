import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary.ts';
import { edited, recipe } from './edited.ts';
import { command, start } from './started.ts';

it('a setting, a command that uses it, and a field of terms work as their recipes say', async () => {
  const copy = edited(['setting', 'command', 'field-of-another-resource'].flatMap((name) => recipe(name)));
  const directory = temporaryDirectory();
  const { call, server } = await start(directory, { copy });
  expect(await call('POST /tags', { name: 'Vellum' })).toMatchObject({ name: 'Vellum', letters: 6 });
  const { schema } = await call('OPTIONS /tags');
  expect(schema.properties.letters).toMatchObject({ type: 'integer', readonly: true });
  await server.stop();
  expect(await command(directory, copy, 'greet', 'Ada')).toContain('Hello, Ada');
  expect(await command(directory, copy, 'help', 'greet')).toContain('Greets somebody.');
  const env = { PATH: process.env['PATH'], DATA_DIR: directory, GREETING: 'x'.repeat(201) };
  const wrong = promisify(execFile)(process.execPath, ['src/cli.ts', 'greet', 'Ada'], { cwd: copy, env });
  await expect(wrong).rejects.toThrow(/GREETING.*at most 200 characters/s);
});
