import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const EXPORT = '/cms-json/cms-block-editor/v1/export';

async function download(as: As = 'administrator', headers: Record<string, string> = {}) {
  const authorization = site.authorization(as);
  return fetch(`http://127.0.0.1:${site.port}${EXPORT}`, { headers: { authorization, ...headers } });
}

/** Returns the files of an archive by its central directory, as archivers read it. */
function filesIn(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const files: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength, start] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const begin = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    files[name] = inflateRawSync(zip.subarray(begin, begin + packed)).toString('utf8');
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

describe('the export of the theme', () => {
  it('is an archive with the current styles and templates', async () => {
    await site.call('administrator', 'POST /global-styles/1', { styles: { color: { background: '#123456' } } });
    await site.call('administrator', 'POST /templates', {
      slug: 'wide',
      content: '<!-- wp:paragraph --><p>Ü</p><!-- /wp:paragraph -->',
    });
    const answer = await download();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.zip"$/);
    const files = filesIn(Buffer.from(await answer.arrayBuffer()));
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['style.css', 'theme.json', 'templates/wide.html']));
    expect(files['templates/wide.html']).toContain('<p>Ü</p>');
    const theme = JSON.parse(files['theme.json'] ?? '');
    expect([theme.version, theme.styles.color.background]).toEqual([3, '#123456']);
    expect(theme.settings.layout).toBeDefined();
  });

  it('has an entity tag, and is base64 in an envelope', async () => {
    const first = await download();
    const bytes = Buffer.from(await first.arrayBuffer());
    const tag = first.headers.get('etag') ?? '';
    expect((await download('administrator', { 'if-none-match': tag })).status).toBe(304);
    const { body } = await site.call('administrator', `GET ${EXPORT}?_envelope`);
    expect(Buffer.from(body.body, 'base64').equals(bytes)).toBe(true);
  });

  it('is limited to users who may change the theme', async () => {
    const code = async (as: As) => (await site.call(as, `GET ${EXPORT}`)).body;
    expect(await code('editor')).toMatchObject({ code: 'rest_cannot_export_templates', data: { status: 403 } });
    expect(await code('anonymous')).toMatchObject({ code: 'rest_cannot_export_templates', data: { status: 401 } });
  });
});
