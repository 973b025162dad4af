import { type BlockType, completed, made, number, off, on, oneOf, textAttribute, usually } from './block-type.ts';

const server = made('theme');
const enriched = completed('theme');
const ofPost = 'postId postType queryId';
const link = { isLink: off, linkTarget: usually(textAttribute, '_self') };
const linkOn = { isLink: on, linkTarget: usually(textAttribute, '_self') };

/** Blocks that show part of the current post. */
const postBlocks: readonly BlockType[] = [
  server('post-title', 'Title', 'The title of the post.', {
    attributes: {
      textAlign: textAttribute,
      level: usually(number, 2),
      levelOptions: { type: 'array' },
      ...link,
      rel: usually(textAttribute, ''),
    },
    supports: 'wide anchor colour border spacing type+textAlign interactive -html',
    marks: 'align link',
    uses: ofPost,
  }),
  server('post-content', 'Content', 'The text of the post.', {
    attributes: { tagName: usually(textAttribute, 'div') },
    supports: 'wide anchor colour+heading border spacing+blockGap type size background interactive -html',
    uses: ofPost,
    layout: 'flow',
  }),
  server('post-excerpt', 'Excerpt', 'The excerpt of the post.', {
    attributes: {
      textAlign: textAttribute,
      moreText: textAttribute,
      showMoreOnNewLine: on,
      excerptLength: usually(number, 55),
    },
    supports: 'anchor colour border spacing type+textAlign+textColumns interactive -html',
    marks: 'align link',
    uses: ofPost,
  }),
  server('post-date', 'Date', 'When the post was published or changed.', {
    attributes: {
      datetime: textAttribute,
      textAlign: textAttribute,
      format: textAttribute,
      isLink: off,
      displayType: usually(textAttribute, 'date'),
    },
    supports: 'anchor colour border spacing type+textAlign interactive -html',
    marks: 'align link',
    uses: ofPost,
  }),
  server('post-author', 'Author', 'Who wrote the post, with picture and description.', {
    attributes: {
      textAlign: textAttribute,
      avatarSize: usually(number, 48),
      showAvatar: on,
      showBio: { type: 'boolean' },
      byline: textAttribute,
      ...link,
    },
    supports: 'anchor colour border spacing type duotone interactive -html -insert',
    marks: 'align link',
    uses: ofPost,
  }),
  server('post-author-name', 'Author Name', 'The name of who wrote the post.', {
    attributes: { textAlign: textAttribute, ...link },
    supports: 'anchor colour border spacing type+textAlign interactive -html',
    marks: 'align link',
    uses: ofPost,
  }),
  server('post-author-biography', 'Author Biography', 'What the author of the post says about themselves.', {
    attributes: { textAlign: textAttribute },
    supports: 'anchor colour border spacing type+textAlign interactive',
    marks: 'align',
    uses: ofPost,
  }),
  server('post-featured-image', 'Featured Image', 'The picture of the post.', {
    attributes: {
      isLink: off,
      aspectRatio: textAttribute,
      width: textAttribute,
      height: textAttribute,
      scale: usually(textAttribute, 'cover'),
      sizeSlug: textAttribute,
      rel: usually(textAttribute, ''),
      linkTarget: usually(textAttribute, '_self'),
      overlayColor: textAttribute,
      customOverlayColor: textAttribute,
      dimRatio: usually(number, 0),
      gradient: textAttribute,
      customGradient: textAttribute,
      useFirstImageFromPost: off,
    },
    supports: 'align=left,right,center,wide,full anchor border-style! spacing shadow! duotone interactive -html',
    uses: ofPost,
  }),
  server('post-terms', 'Post Terms', 'Terms of the post.', {
    attributes: {
      term: textAttribute,
      textAlign: textAttribute,
      separator: usually(textAttribute, ', '),
      prefix: usually(textAttribute, ''),
      suffix: usually(textAttribute, ''),
    },
    supports: 'anchor colour border spacing type+textAlign interactive -html',
    marks: 'align link',
    uses: 'postId postType',
  }),
  server('post-navigation-link', 'Post Navigation Link', 'Leads to the post before or after.', {
    attributes: {
      textAlign: textAttribute,
      type: usually(textAttribute, 'next'),
      label: textAttribute,
      showTitle: off,
      linkLabel: off,
      arrow: usually(textAttribute, 'none'),
      taxonomy: usually(textAttribute, ''),
    },
    supports: 'anchor colour-gradients type+textAlign+writingMode interactive -html -reuse',
    marks: 'align',
    uses: 'postType',
  }),
  server('post-time-to-read', 'Time to Read', 'How long it takes to read the post.', {
    attributes: {
      textAlign: textAttribute,
      displayAsRange: on,
      displayMode: usually(textAttribute, 'time'),
      averageReadingSpeed: usually(number, 189),
    },
    supports: 'anchor colour-link border spacing type+textAlign interactive -html',
    marks: 'align',
    uses: 'postId postType',
  }),
  server('post-template', 'Post Template', 'How each entry of a list is shown.', {
    supports: 'wide anchor colour border spacing+blockGap type interactive -html -reuse',
    marks: 'link',
    ancestor: 'query',
    uses: 'queryId query displayLayout templateSlug previewPostType enhancedPagination postType',
    layout: 'flow',
  }),
  server('read-more', 'Read More', 'Leads to the whole post.', {
    attributes: { content: textAttribute, linkTarget: usually(textAttribute, '_self') },
    supports: 'anchor colour-link border-style spacing type interactive -html',
    uses: 'postId',
  }),
];

/** Blocks that show comments. */
const commentBlocks: readonly BlockType[] = [
  server('post-comments-count', 'Comments Count', 'How many comments the post has.', {
    attributes: { textAlign: textAttribute },
    supports: 'anchor colour-link border spacing type+textAlign interactive -html',
    marks: 'align',
    uses: 'postId',
  }),
  server('post-comments-link', 'Comments Link', 'Leads to the comments of the post.', {
    attributes: { textAlign: textAttribute },
    supports: 'anchor colour-text-gradients border spacing type+textAlign interactive -html',
    marks: 'align link',
    uses: 'postType postId',
  }),
  server('post-comments-form', 'Comments Form', 'A form that takes a comment.', {
    attributes: { textAlign: textAttribute },
    supports: 'anchor colour+heading border spacing type-fontFamily-textDecoration+textAlign -html',
    marks: 'align link',
    uses: 'postId postType',
  }),
  server('comments', 'Comments', 'The comments of the post.', {
    attributes: { tagName: usually(textAttribute, 'div'), legacy: off },
    supports: 'wide anchor colour+heading border spacing type -html',
    marks: 'align',
    uses: 'postId postType',
  }),
  server('comments-title', 'Comments Title', 'The title above the comments.', {
    attributes: {
      textAlign: textAttribute,
      showPostTitle: on,
      showCommentsCount: on,
      level: usually(number, 2),
      levelOptions: { type: 'array' },
    },
    supports: 'align anchor colour-link border spacing type+textAlign interactive -html',
    marks: 'align',
    ancestor: 'comments',
    uses: 'postId postType',
  }),
  server('comment-template', 'Comment Template', 'How each comment is shown.', {
    supports: 'align anchor border spacing type interactive -html -reuse',
    parent: 'comments',
    uses: 'postId',
  }),
  server('comment-author-name', 'Comment Author Name', 'The name of who wrote the comment.', {
    attributes: { ...linkOn, textAlign: textAttribute },
    supports: 'anchor colour border spacing type+textAlign interactive -html',
    marks: 'align link',
    ancestor: 'comment-template',
    uses: 'commentId',
  }),
  server('comment-content', 'Comment Content', 'The words of the comment.', {
    attributes: { textAlign: textAttribute },
    supports: 'anchor colour border spacing-margin type+textAlign -html',
    marks: 'align link',
    ancestor: 'comment-template',
    uses: 'commentId',
  }),
  server('comment-date', 'Comment Date', 'When the comment was written.', {
    attributes: { format: textAttribute, isLink: on },
    supports: 'anchor colour border spacing type+textAlign interactive -html',
    marks: 'link',
    ancestor: 'comment-template',
    uses: 'commentId',
  }),
  enriched('comment-edit-link', 'Comment Edit Link', 'Leads to where the comment is edited.', {
    attributes: { linkTarget: usually(textAttribute, '_self'), textAlign: textAttribute },
    supports: 'anchor colour-text border spacing type+textAlign interactive -html',
    marks: 'align link',
    ancestor: 'comment-template',
    uses: 'commentId',
  }),
  server('comment-reply-link', 'Comment Reply Link', 'Leads to a reply to the comment.', {
    attributes: { textAlign: textAttribute },
    supports: 'anchor colour-text border spacing type+textAlign -html',
    marks: 'align link',
    ancestor: 'comment-template',
    uses: 'commentId',
  }),
  enriched('comments-pagination', 'Comments Pagination', 'Leads to the other pages of comments.', {
    attributes: { paginationArrow: usually(oneOf('none', 'arrow', 'chevron'), 'none') },
    supports: 'align anchor colour type interactive -html -reuse',
    marks: 'link',
    parent: 'comments',
    allowed: 'comments-pagination-previous comments-pagination-numbers comments-pagination-next',
    provides: { 'comments/paginationArrow': 'paginationArrow' },
    layout: 'flex',
  }),
  ...(['next', 'previous'] as const).map((way) =>
    enriched(
      `comments-pagination-${way}`,
      way === 'next' ? 'Comments Next Page' : 'Comments Previous Page',
      `Leads to the ${way} page of comments.`,
      {
        attributes: { label: textAttribute },
        supports: 'anchor colour-text-link type interactive -html -reuse',
        parent: 'comments-pagination',
        uses: 'postId comments/paginationArrow',
      },
    ),
  ),
  enriched('comments-pagination-numbers', 'Comments Page Numbers', 'Leads to each page of comments.', {
    supports: 'anchor colour-text-link spacing type interactive -html -reuse',
    parent: 'comments-pagination',
    uses: 'postId',
  }),
];

export const entryBlocks: readonly BlockType[] = [...postBlocks, ...commentBlocks];
