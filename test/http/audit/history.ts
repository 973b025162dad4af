import { type As, type Site, startSite } from '../../support/site.ts';

export const hostileTitle = '<script>alert("title")</script> & <img src=x onerror=alert(1)>';

/**
 * A site with a history of two days: a post that was drafted, revised and published, a post with a hostile title, a
 * trashed page, a deleted page, and a run of 55 notes.
 */
export async function siteWithHistory(): Promise<Site> {
  const site = await startSite();
  const later = (minutes: number) => {
    site.clock.now += minutes * 60_000;
  };
  const draft = { title: 'First words', content: 'It began.\n\nNobody read it.\n\nThe end.', status: 'draft' };
  await site.make('author', '/posts', draft);
  later(5);
  await site.call('author', 'PUT /posts/1', { content: 'It began.\n\nHardly anybody read it.\n\nThe end.' });
  later(5);
  await site.call(
    'editor',
    'PUT /posts/1',
    { status: 'publish' },
    { headers: { 'x-correlation-id': 'the-publishing' } },
  );
  later(5);
  await site.make('administrator', '/posts', { title: hostileTitle, content: hostileTitle, status: 'publish' });
  later(5);
  const page = await site.make('editor', '/pages', { title: 'About', content: 'A place', status: 'publish' });
  const gone = await site.make('editor', '/pages', { title: 'Gone', content: 'A place', status: 'publish' });
  later(24 * 60);
  await site.call('editor', `DELETE /pages/${page}`);
  await site.call('editor', `DELETE /pages/${gone}?force=true`);
  await site.call('author', 'PUT /posts/1', { title: 'First words, revised' });
  for (let i = 0; i < 55; i++) {
    later(1);
    await site.make('author', '/posts', { title: `Note ${i}`, content: 'c', status: 'publish' });
  }
  return site;
}

/** Requests an audit page. */
export async function visit(site: Site, path = '', as: As = 'administrator', init: RequestInit = {}) {
  const authorization = site.authorization(as);
  const headers = { ...(authorization === '' ? {} : { authorization }) };
  const url = `http://127.0.0.1:${site.port}/cms-audit/${path}`;
  const response = await fetch(url, { headers, redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}
