import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaOf } from '../../support/media-site.ts';
import { type As, SITE, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { image, textFile, show } = mediaOf(() => site);

describe('a media item', () => {
  it('changes only in the fields that are sent', async () => {
    const id = await image();
    const before = await show('author', id, '?context=edit');
    site.clock.now += 60_000;
    const change = {
      title: 'New',
      alt_text: 'A "b" <i>c</i>',
      caption: 'Cap <b>x</b>',
      slug: 'New Slug',
      comment_status: 'closed',
    };
    const { status, body } = await site.call('author', `PUT /media/${id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: { raw: 'New' },
      alt_text: 'A "b" c',
      caption: { raw: 'Cap <b>x</b>', rendered: '<p>Cap <b>x</b></p>\n' },
      slug: 'new-slug',
      link: `${SITE}/new-slug/`,
      comment_status: 'closed',
      source_url: before.source_url,
      date: before.date,
    });
    expect(body.modified > before.modified).toBe(true);
  });

  it('is touched by an empty update, which changes the modification date only', async () => {
    const id = await image();
    const before = await show('author', id, '?context=edit');
    site.clock.now += 60_000;
    const { modified: _, modified_gmt: __, ...after } = (await site.call('author', `POST /media/${id}`, {})).body;
    expect(before).toMatchObject(after);
  });

  it('has the status inherit, whatever is sent, unless it is made private', async () => {
    const id = await image();
    for (const status of ['publish', 'draft', 'inherit']) {
      expect((await site.call('author', `PUT /media/${id}`, { status })).body.status).toBe('inherit');
    }
    expect((await site.call('author', `PUT /media/${id}`, { status: 'trash' })).status).toBe(400);
  });

  it('is filtered for authors without the right to unfiltered markup', async () => {
    const id = await image();
    const { body } = await site.call('author', `PUT /media/${id}`, {
      title: 'A<script>b</script>',
      caption: '<em onclick="x()">c</em>',
      description: '<iframe src="x"></iframe>d',
    });
    expect([body.title.raw, body.caption.raw, body.description.raw]).toEqual(['Ab', '<em>c</em>', 'd']);
    const trusted = await site.call('editor', `PUT /media/${id}`, { description: '<iframe src="x"></iframe>d' });
    expect(trusted.body.description.raw).toBe('<iframe src="x"></iframe>d');
  });

  it('can be changed and deleted by its author and by editors', async () => {
    const id = await image();
    for (const [as, status] of [
      ['contributor', 403],
      ['subscriber', 403],
      ['anonymous', 401],
    ] as const) {
      expect((await site.call(as, `PUT /media/${id}`, { title: 'x' })).body).toMatchObject({
        code: 'rest_cannot_edit',
        data: { status },
      });
      expect((await site.call(as, `DELETE /media/${id}?force=true`)).body).toMatchObject({
        code: 'rest_cannot_delete',
        data: { status },
      });
      expect((await site.call(as, `GET /media/${id}?context=edit`)).body).toMatchObject({
        code: 'rest_forbidden_context',
        data: { status },
      });
    }
    expect((await site.call('author', `PUT /media/${id}`, { author: 2 })).body.code).toBe('rest_cannot_edit_others');
    expect((await site.call('editor', `PUT /media/${id}`, { author: 2 })).body.author).toBe(2);
    expect((await site.call('author', `PUT /media/${id}`, { title: 'x' })).body.code).toBe('rest_cannot_edit');
    expect((await site.call('editor', `DELETE /media/${id}?force=true`)).status).toBe(200);
  });

  it('cannot be trashed', async () => {
    const id = await image();
    const position = site.position();
    const { status, body } = await site.call('author', `DELETE /media/${id}`);
    expect([status, body.code, site.position()]).toEqual([501, 'rest_trash_not_supported', position]);
  });

  it('is updated only if If-Match matches', async () => {
    const id = await image();
    const headers = { 'if-match': (await site.call('author', `GET /media/${id}`)).headers.get('etag') ?? '' };
    const answers = [
      await site.call('author', `PUT /media/${id}`, { title: 'First' }, { headers }),
      await site.call('author', `PUT /media/${id}`, { title: 'Second' }, { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 412]);
  });

  it('offers action links to editors', async () => {
    const id = await image();
    const relations = async (as: As) => Object.keys((await show(as, id, '?context=edit'))._links);
    expect(await relations('editor')).toEqual(
      expect.arrayContaining(['cms:action-unfiltered-html', 'cms:action-assign-author']),
    );
    expect((await relations('author')).filter((name) => name.startsWith('cms:'))).toEqual([]);
  });

  it('that is not an image is described by a link, also in its caption', async () => {
    const body = await textFile('A file.txt');
    const link = `<p class="attachment"><a href='${SITE}/uploads/2026/03/A-file.txt'>A-file</a></p>\n`;
    expect([body.description.rendered, body.caption.rendered]).toEqual([link, '<p>A-file</p>\n']);
    expect([body.media_details, body.media_type]).toEqual([{ filesize: 10, sizes: {} }, 'file']);
    expect('exif_orientation' in body).toBe(false);
    const more = (await site.call('author', `PUT /media/${body.id}`, { description: 'More of it.' })).body;
    expect([more.description.rendered, more.caption.rendered]).toEqual([
      `${link}<p>More of it.</p>\n`,
      '<p>A-file More of it.</p>\n',
    ]);
  });

  it('can be read as of an earlier position', async () => {
    const id = await image('author', 'title=Then');
    const position = site.position();
    await site.call('author', `PUT /media/${id}`, { title: 'Now' });
    expect((await show('author', id, `?as_of=${position}`)).title.rendered).toBe('Then');
    await site.call('author', `DELETE /media/${id}?force=true`);
    expect((await show('editor', id, `?as_of=${position}`)).title.rendered).toBe('Then');
    expect((await site.call('author', `GET /media/${id}?as_of=${position}`)).status).toBe(403);
  });
});
