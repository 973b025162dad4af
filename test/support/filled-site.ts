import type { ReachedSite } from './moved-sites.ts';
import type { As } from './site.ts';
import { pngOf } from './uploads.ts';

export const png = pngOf(1200, 800);
/** A picture that stands in a text. */
export const inlinePicture = `data:image/png;base64,${pngOf(31, 17).toString('base64')}`;

type Answered = { readonly id: number; readonly source_url: string };

/** Ids of what `fillSite` made, by the names that it gave. */
export type Made = Readonly<Record<string, number>>;

/** Fills a site with every oddity of sites that have been used for long. */
export async function fillSite({ site, address, names }: ReachedSite): Promise<Made> {
  const ids: Record<string, number> = {};
  const below = `/${names.root}/${names.namespaces['cms/v2'] ?? 'cms/v2'}`;
  const call = async (as: As, request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(`http://127.0.0.1:${site.port}${below}${path}`, {
      method,
      headers: { authorization: site.authorization(as), 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answered;
    if (response.status >= 300) throw new Error(`${request}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const make = async (name: string, path: string, body: object, as: As = 'administrator') => {
    ids[name] = (await call(as, `POST ${path}`, body)).id;
    return ids[name] as number;
  };
  const upload = async (name: string, file: string, fields: object, bytes: Uint8Array = png, type = 'image/png') => {
    const headers = {
      'content-type': type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
    };
    ids[name] = (await call('editor', 'POST /media', bytes, headers)).id;
    await call('administrator', `POST /media/${ids[name]}`, fields);
    return ids[name] as number;
  };
  const published = { status: 'publish' };

  await call('administrator', 'POST /users/3', {
    ...{ first_name: 'Ada', last_name: 'Łovelace', description: 'Writes <em>much</em>', url: 'https://ada.example' },
  });
  await call('administrator', 'POST /users/4', { name: 'Tom & "Jerry"', first_name: "O'Neill &" });
  const above = await make('above', '/categories', { name: 'Above & beyond', description: 'On <b>top</b>' });
  const belowIt = await make('below', '/categories', { name: 'Ünder', slug: 'ünder', parent: above });
  const tag = await make('tag', '/tags', { name: 'インク', description: 'Tinte' });
  // The child comes first.
  const child = await make('child', '/pages', { title: 'Child', content: 'Below its parent', ...published });
  const parent = await make('parent', '/pages', { title: 'Parent', ...published, menu_order: 4, content: 'Above' });
  await call('administrator', `POST /pages/${child}`, { parent });
  const leaf = await upload('leaf', 'leaf.png', {
    alt_text: 'A "leaf"',
    caption: 'Cap & tion',
    description: 'Des <i>c</i>',
  });
  const grove = await upload('grove', 'grün.png', { title: 'Grün', post: child }, pngOf(900, 700));
  await upload('paper', 'paper.txt', { status: 'private', title: 'Paper' }, Buffer.from('just text'), 'text/plain');
  const leafPath = new URL((await call('administrator', `GET /media/${leaf}`)).source_url).pathname;
  const sized = leafPath.replace('.png', '-300x200.png');
  const first = await make('first', '/posts', {
    ...{ title: 'First "one" & <em>only</em>', excerpt: 'Short', slug: 'straße-ñ-日本', ...published },
    content: `<!-- wp:image {"id":${leaf},"sizeSlug":"medium"} -->\n<figure class="wp-block-image"><img src="${address}${sized}" alt="" class="wp-image-${leaf}"/></figure>\n<!-- /wp:image -->`,
    ...{ categories: [belowIt, above], tags: [tag], featured_media: leaf, sticky: true, ping_status: 'closed' },
    ...{ author: 3, meta: { footnotes: '[{"id":"a","content":"A note"}]' } },
  });
  ids['gallery'] = await make('gallery', '/posts', {
    ...{ title: 'Gallery', ...published, format: 'gallery', author: 3 },
    content: [
      `[gallery ids="${leaf},${grove}"] [slider src="${`${address}${leafPath}`.replaceAll('/', '\\/')}"]`,
      `<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery"><!-- wp:image {"id":${grove}} -->\n<figure class="wp-block-image"><img src="${address}/uploads/none.png" class="wp-image-${grove}"/></figure>\n<!-- /wp:image --></figure>\n<!-- /wp:gallery -->`,
      `<!-- wp:cover {"url":"${address}${leafPath}","id":${leaf},"alt":"a \\u003cb\\u003e \\u0026 \\u002d\\u002d c"} -->\n<div style="background-image:url('${leafPath}')">Under &amp; over</div>\n<!-- /wp:cover -->`,
      `<a href="${address}/parent/child/">whole</a> <a href="/parent/">relative</a> <a href="/?p=${first}">plain</a> <a href="https://elsewhere.example/?p=${first}">elsewhere</a>`,
    ].join('\n\n'),
  });
  await make('lines', '/posts', {
    title: 'Lines',
    ...published,
    content: 'One\r\nTwo ]]> three\r\n\r\n007 &#8217; <![CDATA[x]]>\ttab  two',
    author: 4,
  });
  await make('inline', '/posts', {
    title: 'Inline',
    ...published,
    content: `<p>See</p><img src="${inlinePicture}" alt="dot">`,
  });
  await make('draft', '/posts', { title: 'Draft', content: 'Not <b>yet</b>' });
  await make('pending', '/posts', { title: 'Pending', status: 'pending' }, 'contributor');
  await make('private', '/posts', { title: 'Private', status: 'private', content: 'Secret words' });
  await make('future', '/posts', { title: 'Future', status: 'future', date: '2031-01-01T10:00:00' });
  await make('trash', '/posts', { title: 'Trash', ...published, slug: 'trash-it' });
  await make('locked', '/posts', { title: 'Locked', content: 'Behind', ...published, password: 'vellum & öl' });
  await make('aside', '/posts', {
    title: '',
    content: 'Untitled',
    ...published,
    format: 'aside',
    comment_status: 'closed',
  });
  await call('administrator', `DELETE /posts/${ids['trash']}`);
  for (const content of ['One', 'Two', 'Three']) {
    site.clock.now += 60_000;
    await call(content === 'Two' ? 'administrator' : 'author', `POST /posts/${first}`, {
      content: `<!-- wp:image {"id":${leaf}} -->\n<img src="${address}${leafPath}" class="wp-image-${leaf}"/>\n<!-- /wp:image -->\n\n${content}`,
    });
  }
  await call('editor', `POST /posts/${first}/autosaves`, { title: 'Later', content: 'Perhaps' });
  await call('editor', `POST /pages/${parent}/autosaves`, { title: 'Only saved' });
  await comments(first, { make, call });
  const block = await make('block', '/blocks', { title: 'Pattern', content: 'Again', ...published });
  await make('unsynced', '/blocks', {
    title: 'Copied',
    content: 'Copy',
    ...published,
    meta: { wp_pattern_sync_status: 'unsynced' },
  });
  await make('uses', '/pages', {
    title: 'Uses',
    ...published,
    content: `<!-- wp:block {"ref":${block}} /-->`,
    parent: child,
  });
  const navigation = await make('navigation', '/navigation', {
    ...{ title: 'Navigation', ...published },
    content: `<!-- wp:navigation-link {"label":"Parent","type":"page","id":${parent},"url":"${address}/parent/","kind":"post-type"} /-->`,
  });
  await make('refers', '/pages', {
    title: 'Refers',
    ...published,
    content: `<!-- wp:navigation {"ref":${navigation}} /-->`,
  });
  const menu = await make('menu', '/menus', { name: 'Main', locations: ['header'], auto_add: true });
  const root = await make('root', '/menu-items', {
    title: 'Home',
    url: `${address}/`,
    menus: menu,
    ...published,
    classes: ['x', 'y'],
  });
  const second = await make('second', '/menu-items', {
    ...{ menus: menu, ...published, parent: root, menu_order: 2, title: 'Parent page' },
    ...{ type: 'post_type', object: 'page', object_id: parent, target: '_blank', xfn: ['me'], attr_title: 'Tip' },
  });
  await make('third', '/menu-items', {
    ...{ menus: menu, ...published, parent: second, menu_order: 3, title: 'Ünder' },
    ...{ type: 'taxonomy', object: 'category', object_id: belowIt },
  });
  await call('administrator', 'POST /templates', { slug: 'index', title: 'All', content: 'Words <!-- wp:query /-->' });
  await call('administrator', 'POST /template-parts', {
    slug: 'head',
    title: 'Head',
    content: 'Head words',
    area: 'header',
  });
  await call('administrator', 'POST /global-styles/1', { styles: { color: { background: '#fff' } } });
  await call('administrator', 'POST /settings', {
    ...{ title: 'Old & <good>', description: 'As it was', posts_per_page: 7, start_of_week: 0 },
    ...{ show_on_front: 'page', page_on_front: parent, default_category: above, timezone: 'Europe/Lisbon' },
  });
  return ids;
}

type Making = {
  readonly make: (name: string, path: string, body: object, as?: As) => Promise<number>;
  readonly call: (as: As, request: string, body?: unknown) => Promise<{ readonly id: number }>;
};

async function comments(post: number, { make, call }: Making): Promise<void> {
  const visitor = { author_name: 'Reader', author_email: 'reader@example.org', author_url: 'https://reader.example' };
  for (const status of ['approved', 'hold', 'spam', 'trash'] as const) {
    const id = await make(`comment ${status}`, '/comments', { post, content: `A *${status}* word`, ...visitor });
    if (status === 'trash') await call('administrator', `DELETE /comments/${id}`);
    else await call('administrator', `POST /comments/${id}`, { status });
  }
  const above = await make('thread', '/comments', { post, content: 'Thread' });
  const answer = await make(
    'answer',
    '/comments',
    { post, parent: above, content: 'Answer\r\nin two lines' },
    'subscriber',
  );
  await make('again', '/comments', { post, parent: answer, content: 'Again' });
  await make('note', '/comments', { post, content: 'A note', type: 'note', status: 'hold' });
}
