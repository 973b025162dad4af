import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deployments } from '#domain/plugins/deployment.ts';
import { factor } from '../properties/factor.ts';
import { carryOut } from '../support/place.ts';
import { startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type FuzzAnswer, fuzz } from './run.ts';
import { allBlockTypes, blockOf, onEverySurface } from './surfaces.ts';
import { fuzzTexts, mostCharacters } from './texts.ts';

const seed = Math.trunc(Math.random() * 2 ** 31);

describe.each(deployments)('any request to any route of deployment %s', (deployment) => {
  it(`gets a readable response that is no server error except 501 (seed ${seed})`, async () => {
    const faults: FuzzAnswer[] = [];
    const unreadable: FuzzAnswer[] = [];
    await fuzz({ deployment, count: Math.ceil(300 * Math.min(1, factor)), seed }, (answer) => {
      if (answer.status >= 500 && answer.status !== 501) faults.push(answer);
      if (answer.type.startsWith('application/json') && answer.body !== '' && !isJson(answer.body))
        unreadable.push(answer);
    });
    expect([faults, unreadable]).toEqual([[], []]);
  });
});

it(`any text of blocks gets a bounded response (seed ${seed})`, async () => {
  const faults: object[] = [];
  await fuzzTexts({ count: Math.ceil(4 * Math.min(1, factor)), seed }, (made) => {
    if (made.status >= 300 || made.length > mostCharacters)
      faults.push({ ...made, content: made.content.slice(0, 2000) });
  });
  expect(faults).toEqual([]);
});

it('every block is shown on every surface', async () => {
  const site = await startSite();
  const faults: object[] = [];
  for (const types of chunks(allBlockTypes, 12)) {
    const content = types.map((type) => blockOf(type, 'https://feeds.example.invalid/a')).join('\n');
    await onEverySurface(site, { title: 'Seen', content }, (seen) => {
      if (seen.status >= 400) faults.push({ blocks: types.map(({ name }) => name), ...seen });
    });
  }
  const all = allBlockTypes.map((type) => blockOf(type, 'https://feeds.example.invalid/a')).join('\n');
  await site.make('editor', '/posts', { title: 'Exported', content: all, status: 'publish' });
  const pages = join(temporaryDirectory(), 'pages');
  const exported = await carryOut(site.directory, 'export', { pages });
  await site.close();
  expect([faults, exported.kind]).toEqual([[], 'done']);
});

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
