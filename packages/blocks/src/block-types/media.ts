import {
  type BlockType,
  between,
  completed,
  each,
  flag,
  listAttribute,
  number,
  object,
  of,
  off,
  on,
  rich,
  stored,
  textAttribute,
  usually,
} from './block-type.ts';

const block = stored('media');
const enriched = completed('media');
const link = {
  href: textAttribute,
  rel: textAttribute,
  linkTarget: textAttribute,
  linkDestination: textAttribute,
  linkClass: textAttribute,
};

/** Blocks for pictures, audio and files, and embeds of other sites. */
export const mediaBlocks: readonly BlockType[] = [
  enriched('image', 'Image', 'A picture with its caption.', {
    keywords: 'img, photo, picture',
    attributes: {
      ...{
        blob: textAttribute,
        url: of('img', 'src'),
        alt: usually(of('img', 'alt'), ''),
        caption: rich('figcaption'),
      },
      ...{
        lightbox: object,
        title: of('img', 'title'),
        id: number,
        width: textAttribute,
        height: textAttribute,
        aspectRatio: textAttribute,
      },
      ...{
        scale: textAttribute,
        sizeSlug: textAttribute,
        ...link,
        href: of('figure > a', 'href'),
        rel: of('figure > a', 'rel'),
      },
      ...{ linkClass: of('figure > a', 'class'), linkTarget: of('figure > a', 'target'), focalPoint: object },
    },
    supports: 'align anchor border shadow margin interactive',
    renders: 'align anchor border color spacing typography',
    uses: 'allowResize imageCrop fixedHeight navigationButtonType',
    styles: 'default rounded',
  }),
  enriched('gallery', 'Gallery', 'Pictures in rows.', {
    keywords: 'images, photos',
    attributes: {
      ...{
        images: each('.blocks-gallery-item'),
        ids: usually(listAttribute, []),
        shortCodeTransforms: usually(listAttribute, []),
      },
      ...{ columns: between(1, 8), caption: rich('.blocks-gallery-caption'), imageCrop: on, randomOrder: off },
      ...{
        fixedHeight: on,
        linkTarget: textAttribute,
        linkTo: textAttribute,
        sizeSlug: usually(textAttribute, 'large'),
        allowResize: off,
      },
      ...{ aspectRatio: usually(textAttribute, 'auto'), navigationButtonType: usually(textAttribute, 'icon') },
    },
    supports: 'align anchor border gap layout interactive -html',
    renders: 'align anchor border color spacing typography',
    allowed: 'image',
    provides: { allowResize: 'allowResize', imageCrop: 'imageCrop', fixedHeight: 'fixedHeight' },
    layout: 'flex',
  }),
  block('audio', 'Audio', 'A sound with its player.', {
    keywords: 'music, sound, podcast, recording',
    attributes: {
      ...{ blob: textAttribute, src: of('audio', 'src'), caption: rich('figcaption'), id: number },
      ...{ autoplay: of('audio', 'autoplay', 'boolean'), loop: of('audio', 'loop', 'boolean') },
      preload: of('audio', 'preload'),
    },
    supports: 'align anchor spacing interactive',
  }),
  block('video', 'Video', 'A film with its player.', {
    keywords: 'movie',
    attributes: {
      ...{ autoplay: of('video', 'autoplay', 'boolean'), caption: rich('figcaption'), blob: textAttribute, id: number },
      ...{ controls: usually(of('video', 'controls', 'boolean'), true), loop: of('video', 'loop', 'boolean') },
      ...{ muted: of('video', 'muted', 'boolean'), poster: of('video', 'poster'), src: of('video', 'src') },
      ...{ preload: usually(of('video', 'preload'), 'metadata'), playsInline: of('video', 'playsinline', 'boolean') },
      tracks: usually(listAttribute, []),
    },
    supports: 'align anchor spacing interactive',
  }),
  enriched('cover', 'Cover', 'Words over a picture, a film or a colour.', {
    attributes: {
      ...{
        url: textAttribute,
        useFeaturedImage: off,
        id: number,
        alt: usually(textAttribute, ''),
        hasParallax: off,
        isRepeated: off,
      },
      ...{
        dimRatio: usually(number, 100),
        overlayColor: textAttribute,
        customOverlayColor: textAttribute,
        isUserOverlayColor: flag,
      },
      ...{
        backgroundType: usually(textAttribute, 'image'),
        focalPoint: object,
        minHeight: number,
        minHeightUnit: textAttribute,
      },
      ...{
        gradient: textAttribute,
        customGradient: textAttribute,
        contentPosition: textAttribute,
        isDark: on,
        templateLock: textAttribute,
      },
      ...{ tagName: usually(textAttribute, 'div'), sizeSlug: textAttribute, poster: textAttribute },
    },
    supports: 'align anchor colour border gap layout shadow size type interactive -html',
    uses: 'postId postType',
    layout: 'flow',
  }),
  enriched('file', 'File', 'A link to a file, with a button to keep it.', {
    keywords: 'document, pdf, download',
    attributes: {
      ...{ id: number, blob: textAttribute, href: textAttribute, fileId: of('a:not([download])', 'id') },
      ...{ fileName: rich('a:not([download])'), textLinkHref: of('a:not([download])', 'href') },
      ...{ textLinkTarget: of('a:not([download])', 'target'), showDownloadButton: on },
      ...{ downloadButtonText: rich('a[download]'), displayPreview: flag, previewHeight: usually(number, 600) },
    },
    supports: 'align anchor colour border spacing interactive',
    renders: 'align anchor border color spacing typography',
  }),
  enriched('media-text', 'Media & Text', 'A picture or film beside words.', {
    keywords: 'image, video',
    attributes: {
      ...{ align: usually(textAttribute, 'none'), mediaAlt: usually(of('figure img', 'alt'), ''), mediaId: number },
      ...{
        mediaPosition: usually(textAttribute, 'left'),
        mediaUrl: of('figure video,figure img', 'src'),
        mediaLink: textAttribute,
      },
      ...{ linkDestination: textAttribute, linkTarget: of('figure a', 'target'), href: of('figure a', 'href') },
      ...{ rel: of('figure a', 'rel'), linkClass: of('figure a', 'class'), mediaType: textAttribute },
      ...{
        mediaWidth: usually(number, 50),
        mediaSizeSlug: textAttribute,
        isStackedOnMobile: on,
        verticalAlignment: textAttribute,
      },
      ...{ imageFill: flag, focalPoint: object, useFeaturedImage: off, allowedBlocks: listAttribute },
    },
    supports: 'wide anchor colour border spacing type interactive -html',
    uses: 'postId postType',
  }),
  stored('embed')('embed', 'Embed', 'Something of another site, by its address.', {
    attributes: {
      ...{
        url: textAttribute,
        caption: rich('figcaption'),
        type: textAttribute,
        providerNameSlug: textAttribute,
        allowResponsive: on,
      },
      ...{ responsive: off, previewable: on },
    },
    supports: 'align margin interactive',
  }),
];
