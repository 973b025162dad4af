// A whole life of a post by a typed client: `npx node session.ts <address> <login> <application password>`.
import type { paths } from '../../dist/types/cms.d.ts';
import { CmsError, createClient } from '../../packages/client/src/index.ts';

const [address = 'http://127.0.0.1:8080', login = '', password = ''] = process.argv.slice(2);
const cms = createClient<paths>(`${address}/cms-json`, { login, password });

const { data: post } = await cms.post('/cms/v2/posts', {
  body: { title: 'Typed', content: '<p>Checked by the compiler.</p>', status: 'publish' },
});
console.log(`created ${post.title.rendered}, ${post.status}`);

const found = await cms.get('/cms/v2/posts', { query: { search: 'compiler', per_page: 5 } });
console.log(`found ${found.data.map(({ slug }) => slug)} of ${found.total}`);

const path = { id: post.id };
const read = await cms.get('/cms/v2/posts/{id}', { path });
const changed = await cms.patch('/cms/v2/posts/{id}', { path, body: { title: 'Typed twice' }, ifMatch: read });
console.log(`changed to ${changed.data.title.rendered}`);

let revisions = 0;
for await (const _ of cms.each('/cms/v2/posts/{parent}/revisions', { path: { parent: post.id } })) revisions += 1;
console.log(`has ${revisions} revision`);

const refused = await cms.get('/cms/v2/posts/{id}', { path: { id: 999_999 } }).catch((error: CmsError) => error);
if (refused instanceof CmsError) console.log(`refused with ${refused.code}`);

const { data: removed } = await cms.delete('/cms/v2/posts/{id}', { path, body: { force: true } });
console.log(`removed: ${'deleted' in removed && removed.deleted}`);
