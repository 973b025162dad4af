import { fontSizes, palette, spacings } from '#text/default-presets.ts';

const listed = (name: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([slug, value]) => `--wp--preset--${name}--${slug}: ${value}`);
const classes = (values: Readonly<Record<string, string>>, rule: (pair: readonly [string, string]) => string) =>
  Object.entries(values).map(rule).join('\n');
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** How buttons look, wherever they are. */
export const buttonLook =
  'background: var(--accent); border: 0; border-radius: var(--radius); color: var(--contrast); cursor: pointer; display: inline-block; font-weight: 600; padding: .5625rem 1.125rem; text-decoration: none;';

/** Styles of blocks, whose markup and class names the contents bring along. */
export const blockSheet = `:root { ${[...listed('color', palette), ...listed('font-size', fontSizes), ...listed('spacing', spacings)].join('; ')}; }
${classes(palette, ([slug, value]) => `.has-${slug}-color { color: ${value}; } .has-${slug}-background-color { background: ${value}; }`)}
${classes(fontSizes, ([slug, value]) => `.has-${slug}-font-size { font-size: ${value}; }`)}
.content::after, .wp-block-group::after { clear: both; content: ""; display: block; }
.content > .alignfull { margin-inline: calc(50% - 50cqw); }
.content > .alignwide, .lead.alignwide { margin-inline: calc(50% - min(50cqw - 1.25rem, var(--wide) / 2)); }
:is(.alignwide, .alignfull) > img { width: 100%; }
.alignfull, .alignfull > img { border-radius: 0; }
.aligncenter { margin-inline: auto; text-align: center; }
.alignleft { float: inline-start; margin: .375rem 1.5rem 1rem 0; }
.alignright { float: inline-end; margin: .375rem 0 1rem 1.5rem; }
:is(.alignleft, .alignright) { max-width: 50%; }
.has-text-align-center { text-align: center; }
.has-text-align-right { text-align: end; }
.has-drop-cap:not(:focus)::first-letter { color: var(--accent); float: inline-start; font-size: 3.6em; font-weight: 600; line-height: .82; padding: .06em .1em 0 0; }
.has-background:not(a, mark, button) { border-radius: var(--radius); padding: 1.25rem; }
.is-layout-constrained > :where(:not(.alignleft, .alignright, .alignwide, .alignfull)) { margin-inline: auto; max-width: var(--width); }
.is-layout-flex { align-items: center; display: flex; flex-wrap: wrap; gap: .75rem 1rem; margin-bottom: var(--space); }
.is-layout-flex > * { margin: 0; }
.is-nowrap { flex-wrap: nowrap; }
.is-vertical { align-items: flex-start; flex-direction: column; }
.is-content-justification-center { justify-content: center; }
.is-content-justification-right { justify-content: flex-end; }
.is-content-justification-space-between { justify-content: space-between; }
.wp-block-columns { align-items: stretch; flex-wrap: nowrap; gap: 1.5rem 2rem; }
.wp-block-column { flex: 1 1 0; min-width: 0; }
.wp-block-column[style*=flex-basis] { flex-grow: 0; flex-shrink: 1; }
.wp-block-column > :last-child { margin-bottom: 0; }
.is-vertically-aligned-center { align-self: center; }
.is-vertically-aligned-bottom { align-self: flex-end; }
.wp-block-columns.are-vertically-aligned-center { align-items: center; }
.wp-block-button { display: inline-block; }
${[25, 50, 75, 100].map((n) => `.wp-block-button__width-${n} { width: calc(${n}% - .75rem); }`).join(' ')}
[class*=wp-block-button__width] .wp-element-button { text-align: center; width: 100%; }
.is-style-outline > .wp-element-button:not(.has-background) { background: none; border: 2px solid; color: var(--accent); padding: calc(.5625rem - 2px) calc(1.125rem - 2px); }
.is-style-rounded img { border-radius: 9999px; }
.wp-block-table { overflow-x: auto; }
.wp-block-table table { display: table; margin: 0; width: 100%; }
.has-fixed-layout { table-layout: fixed; }
.wp-block-table tfoot td { border-top: 2px solid var(--line); font-weight: 600; }
.is-style-stripes tbody tr:nth-child(odd) { background: var(--raised); }
.wp-block-verse, pre.wp-block-preformatted { white-space: pre-wrap; }
.wp-block-verse { background: none; border: 0; font: italic 1em var(--font); line-height: inherit; }
.wp-block-quote.is-style-plain { border: 0; padding: 0; }
.wp-block-quote.is-style-large { font-size: 1.25em; font-style: italic; }
.wp-block-pullquote { border-block: 2px solid var(--accent); font-size: 1.375em; line-height: 1.4; margin-block: calc(var(--space) * 1.5); padding: 1.25rem 0; text-align: center; }
.wp-block-pullquote blockquote { border: 0; margin: 0; padding: 0; }
.wp-block-gallery { --columns: 3; align-items: stretch; gap: .75rem; }
.wp-block-gallery > .wp-block-image { display: flex; flex: 1 1 calc(100% / var(--columns) - .75rem); flex-direction: column; min-width: min(100%, 8rem); }
.wp-block-gallery.is-cropped img { flex: 1 0 auto; height: 100%; object-fit: cover; width: 100%; }
.wp-block-cover { align-items: center; background: #000; border-radius: var(--radius); color: #fff; display: flex; justify-content: center; margin-bottom: var(--space); min-height: 24rem; overflow: hidden; padding: 1.5rem; position: relative; }
.wp-block-cover {
& > :not(.wp-block-cover__inner-container) { height: 100%; inset: 0; max-width: none; object-fit: cover; position: absolute; width: 100%; }
& > :last-child { color: inherit; position: relative; width: 100%; }
a:not(.wp-element-button) { color: inherit; }
.wp-block-cover__inner-container > :last-child { margin-bottom: 0; }
}
.wp-block-cover__background { background: #000; }
.has-background-dim { opacity: .5; }
${count(0, 10)
  .map((n) => `.has-background-dim-${n * 10} { opacity: ${n * 10}%; }`)
  .join('\n')}
.wp-block-media-text { align-items: center; display: grid; gap: 1.5rem 2rem; grid-template-columns: 1fr 1fr; margin-bottom: var(--space); }
.wp-block-media-text > figure { margin: 0; }
.wp-block-media-text.has-media-on-the-right > figure { order: 1; }
.wp-block-media-text img { width: 100%; }
.wp-block-separator { width: 8rem; }
.wp-block-separator:is(.is-style-wide, .alignwide, .alignfull) { width: 100%; }
.wp-block-separator.is-style-dots { border: 0; text-align: center; width: 100%; }
.wp-block-separator.is-style-dots::before { color: var(--accent); content: "· · ·"; font-size: 1.5em; letter-spacing: .5em; }
.wp-block-file { align-items: center; display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: var(--space); }
.wp-block-file object { display: none; }
.wp-block-file__button { font-size: .875rem; padding: .25rem .75rem; }
.wp-block-details, .wp-block-accordion-item { border-block: 1px solid var(--line); padding-block: .75rem; }
.wp-block-details[open] > summary { margin-bottom: .75rem; }
.wp-block-accordion-heading { margin: 0; }
.wp-block-accordion-heading button { background: none; color: inherit; font: inherit; padding: 0; }
.wp-block-embed iframe { border: 0; display: block; width: 100%; }
.wp-has-aspect-ratio iframe { aspect-ratio: var(--shape, 16 / 9); height: auto; }
${['21-9', '18-9', '4-3', '1-1', '9-16', '1-2'].map((shape) => `.wp-embed-aspect-${shape} { --shape: ${shape.replace('-', ' / ')}; }`).join('\n')}
:is(video, audio) { width: 100%; }
.wp-block-social-links { gap: .5rem; list-style: none; padding: 0; }
.wp-social-link { background: var(--raised); border-radius: 9999px; }
.wp-social-link a { align-items: center; color: inherit; display: flex; gap: .25rem; padding: .4375rem; text-decoration: none; }
:is(.wp-social-link, .wp-block-search__button) svg { fill: currentColor; height: 1.5rem; width: 1.5rem; }
.wp-block-search > label { width: 100%; }
.wp-block-search__inside-wrapper { display: flex; gap: .5rem; margin-top: .25rem; max-width: 100%; }
.wp-block-search__input { flex: 1; min-width: 0; }
.wp-block-search__button.has-icon { padding: .4375rem .5rem; }
:is(ul, ol):is([class*=-latest], [class*=-rss], [class*=s-list], [class*=-page-list], [class*=-template]) { list-style: none; padding: 0; }
:is([class*=block-latest], [class*=block-rss], [class*=s-list]) > li { border-bottom: 1px solid var(--line); padding-block: .5rem; }
.wp-block-latest-comments article { display: flow-root; }
.wp-block-latest-comments img { float: inline-start; margin-inline-end: .75rem; }
[class*=wp-block-] > li :is(time, [class$=author], [class$=-date]) { display: block; color: var(--muted); font: .875rem/1.5 var(--sans); }
.wp-block-latest-posts__featured-image img, .wp-block-post-featured-image img { height: auto; width: 100%; }
.wp-block-post-date, .wp-block-post-author, .wp-block-post-terms, .wp-block-comment-date { color: var(--muted); font: .9375rem/1.5 var(--sans); margin-bottom: .5rem; }
.wp-block-post-title { margin: 0 0 .5rem; }
#main :is(.is-grid, .is-flex-container, .is-layout-grid) {
display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr));
& > * { border: 0; margin: 0; min-width: 0; padding: 0; }
h2 { font-size: 1.1875rem; }
&[class*=columns-] { @media (width >= 48rem) { grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); } }
}
${count(1, 6)
  .map((n) => `.columns-${n} { --columns: ${n}; }`)
  .join(' ')}
.wp-block-post { margin-bottom: var(--space); }
[class$=-pagination] { font-family: var(--sans); justify-content: space-between; }
.wp-block-tag-cloud { align-items: baseline; display: flex; flex-wrap: wrap; gap: .25rem .875rem; line-height: 1.4; }
.wp-block-calendar table { display: table; margin-bottom: .25rem; table-layout: fixed; width: 100%; }
.wp-block-calendar :is(th, td) { padding: .25rem; text-align: center; }
.wp-block-calendar caption { font-weight: 600; }
.wp-block-calendar a { font-weight: 700; }
.wp-calendar-nav { display: flex; justify-content: space-between; }
.wp-block-navigation {
font-family: var(--sans);
[class$=container-open], [class*=container-close] { display: none; }
ul, li { list-style: none; margin: 0; padding: 0; }
ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.has-child { position: relative; }
.has-child > ul { background: var(--back); border: 1px solid var(--line); border-radius: var(--radius); display: none; flex-direction: column; min-width: 12rem; padding: .75rem 1rem; position: absolute; z-index: 5; @media (width < 48rem) { position: static; } }
.has-child:is(:hover, :focus-within) > ul { display: flex; }
button { background: none; color: inherit; padding: 0 .25rem; }
svg { fill: none; height: .75em; stroke: currentColor; width: .75em; }
}
.wp-block-comment-template ol { list-style: none; padding-inline-start: 1.25rem; }
.wp-block-footnotes { border-top: 1px solid var(--line); font-size: .9em; padding-top: 1rem; }
@media (width < 48rem) {
.wp-block-columns:not(.is-not-stacked-on-mobile) { flex-wrap: wrap; }
.wp-block-columns:not(.is-not-stacked-on-mobile) > .wp-block-column { flex-basis: 100% !important; }
.wp-block-media-text.is-stacked-on-mobile { grid-template-columns: 1fr !important; }
:is(.alignleft, .alignright) { float: none; margin-inline: 0; max-width: 100%; }
}
@media print { .wp-block-navigation, .wp-block-search, .wp-block-buttons, .wp-block-social-links { display: none; } }
`;
