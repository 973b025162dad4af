import { expect, it } from 'vitest';
import { startSite } from '../../support/site.ts';

it('a deleted comment was on the post that it was moved to, however its events are grouped', async () => {
  const site = await startSite();
  const [first, second] = [
    await site.make('editor', '/posts', { title: 'First', status: 'publish' }),
    await site.make('editor', '/posts', { title: 'Second', status: 'publish' }),
  ];
  const id = await site.make('editor', '/comments', { post: first, content: 'Moved' });
  // So that a replay applies the next two events together, but not the first.
  await site.make('editor', '/posts', { title: 'Between' });
  expect((await site.call('editor', `PUT /comments/${id}`, { post: second })).status).toBe(200);
  const position = site.position();
  expect((await site.call('editor', `DELETE /comments/${id}?force=true`)).status).toBe(200);
  const then = async () => {
    const { body } = await site.call('administrator', `GET /comments/${id}?as_of=${position}`);
    return body.post;
  };
  await site.restart();
  expect(await then()).toBe(second);
  await site.rebuild();
  expect(await then()).toBe(second);
  await site.close();
});
