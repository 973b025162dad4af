import { describe, expect, it } from 'vitest';
import { serve } from '#ops/serve.ts';
import { serverParts } from '#ops/server/all.ts';
import type { ServerParts } from '#ops/server/parts.ts';
import { expectNothingLeft, fault, left, serverSettings, unending } from '../support/parts.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('a server', () => {
  it.each(serverParts.map(({ name }) => name as keyof ServerParts))(
    'closes all others when %s fails to end',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      const server = await serve(serverSettings(folder, name), unending(serverParts, name));
      await expect(server.close()).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
    },
  );
});
