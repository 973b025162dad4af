import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { found } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  return () => site.close();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe('a long text', () => {
  it('is not held in memory once it is stored', async () => {
    const content = () => '<!-- wp:paragraph --><p>Some words.</p><!-- /wp:paragraph -->\n'.repeat(16_000);
    const save = async (title: string) =>
      (await site.call('editor', 'POST /posts', { title, status: 'publish', content: content() })).status;
    await site.call('editor', 'POST /posts', { title: 'Short', status: 'publish' });
    const before = heap();
    expect(await save('Long')).toBe(201);
    await found(() => heap() - before < content().length / 2);
  });
});
