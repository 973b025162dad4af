import { describe, expect, it } from 'vitest';
import { serve } from '#ops/serve.ts';
import { serverParts } from '#ops/server/all.ts';
import type { ServerParts } from '#ops/server/parts.ts';
import { expectNothingLeft, failing, fault, left, serverSettings } from '../support/parts.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('a server', () => {
  it.each(serverParts.map(({ name }) => name as keyof ServerParts))(
    'closes everything when %s fails to open',
    async (name) => {
      const folder = temporaryDirectory();
      const before = left(folder);
      await expect(serve(serverSettings(folder, name), failing(serverParts, name))).rejects.toThrow(fault);
      await expectNothingLeft(folder, before);
    },
  );
});
