/** A front end of a site's own: it lists posts, shows one, and previews drafts, releases and moments. */
import { createServer } from 'node:http';
import { createClient } from '../../packages/client/src/index.ts';

interface Post {
  readonly slug: string;
  readonly title: { readonly rendered: string };
  readonly content: { readonly rendered: string };
}

const [root = 'http://localhost:8080/cms-json/', port = '3000'] = process.argv.slice(2);

const cms = createClient(root, { retries: 0 });
/** The token goes from the browser to the store, and is kept nowhere. */
const reader = (preview: string | null) => (preview === null ? cms : cms.preview(preview));

function page(title: string, main: string, preview: string | null): string {
  const banner = preview === null ? '' : '<p role="status">This is a preview.</p>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${banner}<main><h1>${title}</h1>${main}</main></html>`;
}

/** Links keep the token, so that one can look around in a preview. */
function link({ slug, title }: Post, preview: string | null): string {
  const query = preview === null ? '' : `?preview=${encodeURIComponent(preview)}`;
  return `<li><a href="/${slug}${query}">${title.rendered}</a></li>`;
}

async function shown(pathname: string, preview: string | null): Promise<string | null> {
  const from = reader(preview);
  if (pathname === '/') {
    const { data } = await from.get('/cms/v2/posts', { query: { _fields: ['slug', 'title'] } });
    return page('Posts', `<ul>${(data as Post[]).map((post) => link(post, preview)).join('')}</ul>`, preview);
  }
  // Where PREVIEW_URL leads: /preview/posts/12?preview=…
  const [, type = '', id = ''] = /^\/preview\/([a-z-]+)\/(\d+)$/.exec(pathname) ?? [];
  const { data } =
    id === ''
      ? await from.get('/cms/v2/posts', { query: { slug: [decodeURIComponent(pathname.slice(1))] } })
      : await from.get('/cms/v2/{type}/{id}', { path: { type, id } });
  const [post] = [data].flat() as Post[];
  return post ? page(post.title.rendered, post.content.rendered, preview) : null;
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://front.invalid');
  const preview = searchParams.get('preview');
  const text = await shown(pathname, preview).catch(() => null);
  const headers = { 'Content-Type': 'text/html; charset=UTF-8', 'Referrer-Policy': 'no-referrer' };
  response.writeHead(
    text === null ? 404 : 200,
    preview === null ? headers : { ...headers, 'Cache-Control': 'no-store' },
  );
  response.end(text ?? page('Not found', '<p>There is nothing here, or the preview has ended.</p>', preview));
});

server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
