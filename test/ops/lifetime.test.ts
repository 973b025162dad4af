import { describe, expect, it } from 'vitest';
import { serve } from '#ops/serve.ts';
import { serverParts } from '#ops/server/all.ts';
import type { ServerParts } from '#ops/server/parts.ts';
import { expectNothingLeft, failing, fault, left, unending } from '../support/parts.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('a server', () => {
  // Only where it matters, because a thread takes as long to start as the rest.
  const env = (folder: string, name: keyof ServerParts) => ({
    DATA_DIR: folder,
    PORT: '0',
    METRICS_PORT: '0',
    READERS: name === 'listeningReaders' ? '1' : '0',
    LOG_LEVEL: 'silent',
  });

  it.each(serverParts.map(({ name }) => name as keyof ServerParts))(
    'closes everything when %s fails to open',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      await expect(serve(env(folder, name), failing(serverParts, name))).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
    },
  );

  it.each(serverParts.map(({ name }) => name as keyof ServerParts))(
    'closes all others when %s fails to end',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const server = await serve(env(folder, name), unending(serverParts, name));
      await expect(server.close()).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
    },
  );
});
