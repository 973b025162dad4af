/** A content with every core block in the forms that editors give it. `image`: address of an image; `file`: of any file. */
export function blockSheet(image: string, file: string): string {
  const img = `<img src="${image}" alt="Two leaves"/>`;
  const p = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
  const figure = (classes: string, options: string) =>
    `<!-- wp:image ${options} --><figure class="wp-block-image ${classes}">${img}<figcaption class="wp-element-caption">A caption</figcaption></figure><!-- /wp:image -->`;
  const column = (content: string) =>
    `<!-- wp:column --><div class="wp-block-column">${content}</div><!-- /wp:column -->`;
  const long = 'a_very_long_word_that_nobody_breaks_'.repeat(6);
  return [
    `<!-- wp:paragraph {"dropCap":true} --><p class="has-drop-cap">${'A paragraph with a large first letter. '.repeat(5)}</p><!-- /wp:paragraph -->`,
    ...[2, 3, 4, 5, 6].map(
      (n) =>
        `<!-- wp:heading {"level":${n}} --><h${n} class="wp-block-heading">Heading ${n}</h${n}><!-- /wp:heading -->`,
    ),
    p(
      'Text with <strong>bold</strong>, <em>italic</em>, <code>code</code>, <kbd>Esc</kbd>, <mark>marked</mark> and <a href="#x">a link</a>.',
    ),
    '<!-- wp:paragraph {"backgroundColor":"pale-cyan-blue","textColor":"black"} --><p class="has-black-color has-pale-cyan-blue-background-color has-text-color has-background">Coloured</p><!-- /wp:paragraph -->',
    '<!-- wp:list --><ul class="wp-block-list"><!-- wp:list-item --><li>One<!-- wp:list {"ordered":true} --><ol class="wp-block-list"><!-- wp:list-item --><li>Inner</li><!-- /wp:list-item --></ol><!-- /wp:list --></li><!-- /wp:list-item --></ul><!-- /wp:list -->',
    `<!-- wp:columns --><div class="wp-block-columns">${column(p('Left column'))}${column(p('Middle column'))}${column(p('Right column'))}</div><!-- /wp:columns -->`,
    '<!-- wp:buttons --><div class="wp-block-buttons"><!-- wp:button --><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="#a">Filled</a></div><!-- /wp:button --><!-- wp:button {"className":"is-style-outline"} --><div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="#b">Outlined</a></div><!-- /wp:button --></div><!-- /wp:buttons -->',
    '<!-- wp:table --><figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>Shelfmark</th><th>Leaves</th></tr></thead><tbody><tr><td>Reg. 5757</td><td>151</td></tr><tr><td>Clm 19410</td><td>40</td></tr></tbody><tfoot><tr><td>Sum</td><td>191</td></tr></tfoot></table><figcaption class="wp-element-caption">Counted in May</figcaption></figure><!-- /wp:table -->',
    `<!-- wp:table {"className":"is-style-stripes"} --><figure class="wp-block-table is-style-stripes"><table><tbody>${`<tr>${`<td>${long.slice(0, 30)}</td>`.repeat(6)}</tr>`.repeat(3)}</tbody></table></figure><!-- /wp:table -->`,
    `<!-- wp:code --><pre class="wp-block-code"><code>const leaf = "${long}";</code></pre><!-- /wp:code -->`,
    `<!-- wp:preformatted --><pre class="wp-block-preformatted">As it   was\n${long}</pre><!-- /wp:preformatted -->`,
    '<!-- wp:verse --><pre class="wp-block-verse">A line,\nanother line.</pre><!-- /wp:verse -->',
    `<!-- wp:quote --><blockquote class="wp-block-quote">${p('Quoted words')}<cite>Somebody</cite></blockquote><!-- /wp:quote -->`,
    '<!-- wp:pullquote --><figure class="wp-block-pullquote"><blockquote><p>Pulled words</p><cite>Somebody else</cite></blockquote></figure><!-- /wp:pullquote -->',
    figure('size-large', '{"sizeSlug":"large"}'),
    figure('alignleft', '{"align":"left"}'),
    p('Words beside an image. '.repeat(12)),
    figure('alignwide size-full', '{"align":"wide"}'),
    figure('alignfull size-full', '{"align":"full"}'),
    `<!-- wp:gallery {"linkTo":"none"} --><figure class="wp-block-gallery has-nested-images columns-default is-cropped">${figure('size-large', '{}').repeat(4)}</figure><!-- /wp:gallery -->`,
    `<!-- wp:cover {"url":"${image}","dimRatio":70} --><div class="wp-block-cover"><img class="wp-block-cover__image-background" alt="" src="${image}" data-object-fit="cover"/><span aria-hidden="true" class="wp-block-cover__background has-background-dim-70 has-background-dim"></span><div class="wp-block-cover__inner-container">${p('Words on a cover')}</div></div><!-- /wp:cover -->`,
    `<!-- wp:media-text {"mediaType":"image"} --><div class="wp-block-media-text is-stacked-on-mobile"><figure class="wp-block-media-text__media">${img}</figure><div class="wp-block-media-text__content">${p('Words beside media')}</div></div><!-- /wp:media-text -->`,
    ...['', ' is-style-wide', ' is-style-dots'].map(
      (style) =>
        `<!-- wp:separator --><hr class="wp-block-separator has-alpha-channel-opacity${style}"/><!-- /wp:separator -->`,
    ),
    '<!-- wp:spacer {"height":"2rem"} --><div style="height:2rem" aria-hidden="true" class="wp-block-spacer"></div><!-- /wp:spacer -->',
    `<!-- wp:group {"layout":{"type":"constrained"}} --><div class="wp-block-group">${p('In a group')}</div><!-- /wp:group -->`,
    `<!-- wp:group {"layout":{"type":"grid","columnCount":3}} --><div class="wp-block-group">${p('A cell').repeat(3)}</div><!-- /wp:group -->`,
    `<!-- wp:file {"href":"${file}"} --><div class="wp-block-file"><a href="${file}">notes</a><a href="${file}" class="wp-block-file__button wp-element-button" download>Download the notes</a></div><!-- /wp:file -->`,
    `<!-- wp:details --><details class="wp-block-details"><summary>More of it</summary>${p('Hidden at first')}</details><!-- /wp:details -->`,
    `<!-- wp:audio --><figure class="wp-block-audio"><audio controls src="${file}"></audio></figure><!-- /wp:audio -->`,
    `<!-- wp:video --><figure class="wp-block-video"><video controls src="${file}"></video></figure><!-- /wp:video -->`,
    `<!-- wp:embed --><figure class="wp-block-embed is-type-video wp-embed-aspect-16-9 wp-has-aspect-ratio"><div class="wp-block-embed__wrapper"><iframe title="A film" src="about:blank" width="900" height="500"></iframe></div></figure><!-- /wp:embed -->`,
    '<!-- wp:social-links --><ul class="wp-block-social-links"><!-- wp:social-link {"url":"https://mastodon.example/@x","service":"mastodon"} /--><!-- wp:social-link {"url":"x@example.org","service":"mail"} /--></ul><!-- /wp:social-links -->',
    '<!-- wp:search {"label":"Search the archive","buttonText":"Find"} /-->',
    '<!-- wp:latest-posts {"displayPostContent":true,"displayAuthor":true,"displayPostDate":true} /-->',
    '<!-- wp:latest-posts {"postLayout":"grid","columns":3} /-->',
    '<!-- wp:latest-comments /-->',
    '<!-- wp:categories {"showPostCounts":true} /-->',
    '<!-- wp:tag-cloud /-->',
    '<!-- wp:calendar /-->',
    '<!-- wp:archives /-->',
    '<!-- wp:page-list /-->',
    '<!-- wp:query {"queryId":1,"query":{"perPage":3,"postType":"post"}} --><div class="wp-block-query"><!-- wp:post-template {"layout":{"type":"grid","columnCount":3}} --><!-- wp:post-title {"isLink":true} /--><!-- wp:post-date /--><!-- wp:post-excerpt /--><!-- /wp:post-template --><!-- wp:query-pagination --><!-- wp:query-pagination-previous /--><!-- wp:query-pagination-numbers /--><!-- wp:query-pagination-next /--><!-- /wp:query-pagination --></div><!-- /wp:query -->',
    '<!-- wp:navigation {"ariaLabel":"In the text"} --><!-- wp:navigation-link {"label":"Home","url":"/"} /--><!-- wp:navigation-submenu {"label":"More","url":"/more/"} --><!-- wp:navigation-link {"label":"Below","url":"/below/"} /--><!-- /wp:navigation-submenu --><!-- /wp:navigation -->',
    '<!-- wp:site-title {"level":0} /--><!-- wp:site-tagline /-->',
    '<!-- wp:html --><p>Own <abbr title="Hypertext">HTML</abbr></p><!-- /wp:html -->',
    '<!-- wp:shortcode -->[caption width="300"]<a href="#y">words</a> of a shortcode[/caption]<!-- /wp:shortcode -->',
    p('[gallery]'),
  ].join('\n\n');
}

/** A content with the blocks that show parts of a post, of its comments and of the site. */
export const postSheet = [
  '<!-- wp:post-title {"level":2} /-->',
  '<!-- wp:post-author-name /-->',
  '<!-- wp:post-date /-->',
  '<!-- wp:post-terms {"term":"category"} /-->',
  '<!-- wp:post-featured-image /-->',
  '<!-- wp:post-time-to-read /-->',
  '<!-- wp:breadcrumbs /-->',
  '<!-- wp:loginout /-->',
  '<!-- wp:avatar {"userId":2} /-->',
  '<!-- wp:read-more /-->',
  '<!-- wp:accordion --><div class="wp-block-accordion"><!-- wp:accordion-item {"openByDefault":true} --><div class="wp-block-accordion-item is-open"><!-- wp:accordion-heading --><h3 class="wp-block-accordion-heading"><button type="button" class="wp-block-accordion-heading__toggle"><span class="wp-block-accordion-heading__toggle-title">A question</span></button></h3><!-- /wp:accordion-heading --><!-- wp:accordion-panel --><div class="wp-block-accordion-panel"><!-- wp:paragraph --><p>An answer</p><!-- /wp:paragraph --></div><!-- /wp:accordion-panel --></div><!-- /wp:accordion-item --></div><!-- /wp:accordion -->',
  '<!-- wp:comments --><div class="wp-block-comments"><!-- wp:comments-title /--><!-- wp:comment-template --><!-- wp:comment-author-name /--><!-- wp:comment-date /--><!-- wp:comment-content /--><!-- wp:comment-reply-link /--><!-- /wp:comment-template --><!-- wp:comments-pagination --><!-- wp:comments-pagination-previous /--><!-- wp:comments-pagination-numbers /--><!-- wp:comments-pagination-next /--><!-- /wp:comments-pagination --><!-- wp:post-comments-form /--></div><!-- /wp:comments -->',
].join('\n\n');
