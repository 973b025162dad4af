// Classes and styles that the server adds to blocks.
import { scenario } from '../lib/dsl.mjs';
import { block, p, shown, stored } from '../lib/rendering.mjs';

const needs = ['block-supports', 'layout'];
const group = (attributes, inner = '', extra = '') => block('group', attributes, `<div class="wp-block-group${extra}">${inner}</div>`);
const buttons = (attributes, inner = '') => block('buttons', attributes, `<div class="wp-block-buttons">${inner}</div>`);
const columns = (attributes, inner = '') => block('columns', attributes, `<div class="wp-block-columns">${inner}</div>`);
const link = (text) => ({ elements: { link: { color: { text } } } });

export default [
  scenario('layout without values', [
    stored(group({}) + group({ layout: { type: 'default' } }) + group({ layout: { inherit: true } }) + group({ layout: { type: 'constrained' } }) + group({ layout: { type: 'nosuch' } })),
    stored(columns({}, block('column', { width: '33%' }, '<div class="wp-block-column" style="flex-basis:33%"></div>')) + buttons({}) + block('quote', {}, '<blockquote class="wp-block-quote"></blockquote>')),
    stored(block('details', {}, '<details class="wp-block-details"><summary>S</summary></details>') + block('cover', {}, '<div class="wp-block-cover"><div class="wp-block-cover__inner-container"></div></div>') + block('media-text', {}, '<div class="wp-block-media-text"></div>')),
    stored(block('cover', {}, `<div class="wp-block-cover"><div class="wp-block-cover__inner-container">${p('x')}</div></div>`)),
  ], { needs }),
  scenario('layout with values', [
    stored(group({ layout: { type: 'constrained', contentSize: '200px' } }) + group({ layout: { contentSize: '200px', wideSize: '300px' } }) + group({ layout: { type: 'constrained', justifyContent: 'left' } }) + group({ layout: { type: 'constrained', justifyContent: 'center' } })),
    stored(group({ layout: { type: 'flex', flexWrap: 'nowrap' } }) + group({ layout: { type: 'flex', flexWrap: 'wrap' } }) + group({ layout: { type: 'flex', orientation: 'vertical' } }) + group({ layout: { type: 'flex', orientation: 'vertical', justifyContent: 'center', verticalAlignment: 'bottom' } })),
    stored(group({ layout: { type: 'flex', justifyContent: 'space-between', flexWrap: 'nowrap' } }) + group({ layout: { type: 'flex', justifyContent: 'odd' } }) + group({ layout: { type: 'flex', verticalAlignment: 'top' } })),
    stored(group({ layout: { type: 'grid' } }) + group({ layout: { type: 'grid', columnCount: 3 } }) + group({ layout: { type: 'grid', minimumColumnWidth: '10rem', columnCount: 2 } })),
    stored(buttons({ layout: { type: 'flex', justifyContent: 'center' } }) + buttons({ layout: { type: 'flex', orientation: 'vertical' } })),
  ], { needs }),
  scenario('gaps and paddings', [
    stored(group({ style: { spacing: { blockGap: '0' } } }) + group({ style: { spacing: { blockGap: '5px' } }, layout: { type: 'constrained' } }) + group({ style: { spacing: { blockGap: 'var:preset|spacing|20' } }, layout: { type: 'flex' } }) + group({ style: { spacing: { blockGap: 'a{b}' } } })),
    stored(columns({ style: { spacing: { blockGap: { top: '1px', left: '2px' } } } }) + columns({ style: { spacing: { blockGap: { left: '4px' } } } }) + buttons({ style: { spacing: { blockGap: '1px' } } })),
    stored(group({ style: { spacing: { padding: { top: '1px', right: '2px', bottom: '3px', left: '4px' } } }, layout: { type: 'constrained' } }) + group({ style: { spacing: { padding: '9px' } }, layout: { type: 'constrained' } }) + group({ style: { spacing: { padding: { top: '1px' } } }, layout: { type: 'constrained' } }) + group({ style: { spacing: { padding: { left: 'var:preset|spacing|50', right: '0' } } }, layout: { type: 'constrained' } })),
    shown(block('gallery', { style: { spacing: { blockGap: { top: '1px', left: '2px' } } } }, '<figure class="wp-block-gallery has-nested-images columns-default is-cropped"></figure>') + block('gallery', { style: { spacing: { blockGap: 'var:preset|spacing|30' } } }, '<figure class="wp-block-gallery has-nested-images columns-default is-cropped"></figure>')),
  ], { needs }),
  scenario('places inside a layout', [
    stored(group({ layout: { type: 'grid', columnCount: 3 } }, block('paragraph', { style: { layout: { columnSpan: 2 } } }, '<p>span</p>') + block('paragraph', { style: { layout: { columnStart: 3, rowStart: 1 } } }, '<p>start</p>'))),
    stored(group({ layout: { type: 'flex' } }, block('paragraph', { style: { layout: { selfStretch: 'fixed', flexSize: '10px' } } }, '<p>fixed</p>') + block('paragraph', { style: { layout: { selfStretch: 'fill', flexSize: null } } }, '<p>fill</p>') + block('paragraph', { style: { layout: { selfStretch: 'fit' } } }, '<p>fit</p>'))),
    stored(group({ layout: { type: 'grid', minimumColumnWidth: '10rem' } }, group({ style: { layout: { columnSpan: 2, rowSpan: 1 } }, layout: { type: 'flex', flexWrap: 'nowrap' } }))),
  ], { needs }),
  scenario('colours of links and headings', [
    shown(block('paragraph', { style: link('#abcdef') }, '<p class="has-link-color">a</p>') + block('heading', { style: link('var:preset|color|base') }, '<h2 class="wp-block-heading has-link-color">b</h2>') + group({ style: { elements: { h2: { color: { background: '#2' } } } } }, block('paragraph', { style: { elements: { link: { typography: { x: '1' } } } } }, '<p>c</p>') + block('list', { style: link('#3') }, '<ul class="wp-block-list"></ul>'))),
    shown(block('site-title', { style: link('#4') }) + block('button', { style: link('#5') }, '<div class="wp-block-button"><a class="wp-block-button__link" href="#">x</a></div>') + block('quote', { style: link('#6'), className: 'k' }, '<blockquote class="wp-block-quote k has-link-color"></blockquote>')),
    stored(block('paragraph', { style: link('#7') }, '<p>as written</p>')),
  ], { needs: [...needs, 'made-by-server'] }),
  scenario('variations of style', [
    shown(block('button', { className: 'is-style-outline' }, '<div class="wp-block-button is-style-outline"><a class="wp-block-button__link" href="#">x</a></div>') + block('quote', { className: 'is-style-plain x' }, '<blockquote class="wp-block-quote is-style-plain x"></blockquote>') + block('separator', { className: 'is-style-wide' }, '<hr class="wp-block-separator is-style-wide"/>')),
    stored(block('button', { className: 'is-style-fill' }, '<div class="wp-block-button is-style-fill"><a class="wp-block-button__link" href="#">x</a></div>') + block('image', { className: 'is-style-rounded' }, '<figure class="wp-block-image is-style-rounded"><img src="x.png"/></figure>') + block('separator', { className: 'is-style-dots' }, '<hr class="wp-block-separator is-style-dots"/>')),
    shown(group({ className: 'is-style-section-1' }, block('search', { label: 'Counts on' }), ' is-style-section-1') + group({ style: { position: { type: 'sticky', top: '0px' } } })),
  ], { needs: [...needs, 'theme', 'made-by-server'] }),
  scenario('position, background, size', [
    shown(group({ style: { position: { type: 'fixed' } } }) + group({ style: { position: { type: 'sticky', top: '5px' } }, layout: { type: 'constrained' } })),
    stored(group({ style: { background: { backgroundImage: { url: 'http://example.org/b.png', id: 1, source: 'file' }, backgroundSize: 'contain' } } }) + group({ style: { background: { backgroundImage: { url: 'http://example.org/b.png' }, backgroundPosition: '50% 0', backgroundRepeat: 'no-repeat', backgroundAttachment: 'fixed' } } })),
    stored(block('cover', { style: { dimensions: { aspectRatio: '16/9' } } }, '<div class="wp-block-cover" style="min-height:5px"><div class="wp-block-cover__inner-container"></div></div>')),
  ], { needs }),
  scenario('values on blocks that the server makes', [
    stored(block('site-title', { className: 'k', anchor: 'an', align: 'wide', backgroundColor: 'base', textColor: 'contrast', fontSize: 'large', style: { spacing: { padding: { top: '1px', left: 'var:preset|spacing|20' }, margin: '2px' }, border: { radius: '3px', width: '1px', color: '#123', style: 'solid' } } })),
    stored(block('site-tagline', { style: { typography: { fontWeight: '700', lineHeight: '1.2', textTransform: 'uppercase', letterSpacing: '1px', textDecoration: 'underline', fontSize: '2rem' }, color: { text: '#abcdef', background: '#eeeeee' } } })),
    stored(block('post-title', { backgroundColor: 'Vivid Red', gradient: 'g1', borderColor: 'base', fontFamily: 'my Font', style: { border: { radius: { topLeft: '1px', bottomRight: '2px' }, top: { color: 'var:preset|color|base', width: '1px' } }, spacing: { margin: { top: '0', bottom: 'var:preset|spacing|nope' } } } })),
    stored(block('post-title', { className: 'a" onclick="b', style: { color: { text: 'red;x:y' } } })),
  ], { needs: [...needs, 'made-by-server'] }),
  scenario('two colours, enlarging, hiding', [
    shown(block('image', { style: { color: { duotone: ['#000', '#fff'] } } }, '<figure class="wp-block-image"><img src="x.png"/></figure>') + block('image', { style: { color: { duotone: 'var:preset|duotone|dark-grayscale' } } }, '<figure class="wp-block-image"><img src="x.png"/></figure>') + block('image', { style: { color: { duotone: 'unset' } } }, '<figure class="wp-block-image"><img src="x.png"/></figure>')),
    stored(block('paragraph', { metadata: { blockVisibility: false } }, '<p>hidden</p>') + block('paragraph', { metadata: { blockVisibility: { viewport: { mobile: false } } } }, '<p>not on small screens</p>') + group({ metadata: { blockVisibility: false } }, p('inside'))),
    stored(block('heading', { fitText: true }, '<h2 class="wp-block-heading has-fit-text">x</h2>')),
  ], { needs }),
];
