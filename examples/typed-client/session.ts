// A whole life of a post by a typed client: `npx node session.ts <address> <login> <application password>`.
import createClient from 'openapi-fetch';
import type { paths } from '../../dist/types/cms.d.ts';

const [address = 'http://127.0.0.1:8080', login = '', password = ''] = process.argv.slice(2);
const authorization = `Basic ${btoa(`${login}:${password}`)}`;
const cms = createClient<paths>({ baseUrl: `${address}/cms-json`, headers: { authorization } });

const { data: post, error } = await cms.POST('/cms/v2/posts', {
  body: { title: 'Typed', content: '<p>Checked by the compiler.</p>', status: 'publish' },
});
if (post === undefined) throw new Error(error.message);
const { id } = post;
console.log(`created ${post.title.rendered}, ${post.status}`);

const { data: found = [], response } = await cms.GET('/cms/v2/posts', {
  params: { query: { search: 'compiler', per_page: 5 } },
});
console.log(`found ${found.map(({ slug }) => slug)} of ${response.headers.get('X-CMS-Total')}`);

const path = { id };
const { data: changed } = await cms.PATCH('/cms/v2/posts/{id}', { params: { path }, body: { title: 'Typed twice' } });
console.log(`changed to ${changed?.title.rendered}`);

const { data: revisions = [] } = await cms.GET('/cms/v2/posts/{parent}/revisions', {
  params: { path: { parent: id } },
});
console.log(`has ${revisions.length} revision`);

const { error: refused } = await cms.GET('/cms/v2/posts/{id}', { params: { path: { id: 999_999 } } });
console.log(`refused with ${refused?.code}`);

const { data: removed } = await cms.DELETE('/cms/v2/posts/{id}', { params: { path }, body: { force: true } });
console.log(`removed: ${removed !== undefined && 'deleted' in removed && removed.deleted}`);
