// What the compiler refuses: this file compiles only if each of these lines is an error.
import createClient from 'openapi-fetch';
import type { paths } from '../../dist/types/cms.d.ts';

const cms = createClient<paths>();

// @ts-expect-error: no such route
await cms.GET('/cms/v2/novels');
// @ts-expect-error: no such status
await cms.POST('/cms/v2/posts', { body: { status: 'printed' } });
// @ts-expect-error: no such order
await cms.GET('/cms/v2/posts', { params: { query: { orderby: 'weight' } } });
const { data: posts = [] } = await cms.GET('/cms/v2/posts');
// @ts-expect-error: no such field
posts.map(({ subtitle }) => subtitle);
