// What the compiler refuses: this file compiles only if each of these lines is an error.
import type { paths } from '../../dist/types/cms.d.ts';
import { createClient } from '../../packages/client/src/index.ts';

const cms = createClient<paths>('http://127.0.0.1:8080/cms-json');

// @ts-expect-error: no such route
await cms.get('/cms/v2/novels');
// @ts-expect-error: no such status
await cms.post('/cms/v2/posts', { body: { status: 'printed' } });
// @ts-expect-error: no such order
await cms.get('/cms/v2/posts', { query: { orderby: 'weight' } });
const { data: posts } = await cms.get('/cms/v2/posts');
// @ts-expect-error: no such field
posts.map(({ subtitle }) => subtitle);
