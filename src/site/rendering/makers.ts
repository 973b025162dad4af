import { archives } from './blocks/archives.ts';
import { avatarBlock } from './blocks/avatar.ts';
import { blockReference } from './blocks/block-reference.ts';
import { breadcrumbsBlock } from './blocks/breadcrumbs.ts';
import { calendar } from './blocks/calendar.ts';
import { categories } from './blocks/categories.ts';
import { commentAuthorName, commentContent, commentDate, commentReplyLink } from './blocks/comment-parts.ts';
import {
  commentsBlock,
  commentsForm,
  commentsTitle,
  commentTemplate,
  postCommentsCount,
  postCommentsLink,
} from './blocks/comments.ts';
import { iconBlock } from './blocks/icons.ts';
import { latestCommentsBlock } from './blocks/latest-comments.ts';
import { latestPosts } from './blocks/latest-posts.ts';
import { navigationBlock } from './blocks/navigation.ts';
import { homeLink, navigationLink, navigationSubmenu } from './blocks/navigation-items.ts';
import { pageList } from './blocks/page-list.ts';
import { postFeaturedImage } from './blocks/post-featured-image.ts';
import {
  postAuthor,
  postAuthorBiography,
  postAuthorName,
  postContent,
  postDate,
  postExcerpt,
  postTerms,
  postTimeToRead,
  postTitle,
  readMore,
} from './blocks/post-parts.ts';
import {
  postTemplate,
  queryNoResults,
  queryPagination,
  queryPaginationNext,
  queryPaginationNumbers,
  queryPaginationPrevious,
  queryTotal,
} from './blocks/query-parts.ts';
import { rss } from './blocks/rss.ts';
import { searchBlock } from './blocks/search.ts';
import { loginout, siteLogo, siteTagline, siteTitle } from './blocks/site.ts';
import { socialLink } from './blocks/social-link.ts';
import { tagCloud } from './blocks/tag-cloud.ts';
import { termCount, termDescription, termName, termTemplate } from './blocks/term-template.ts';
import type { Make } from './types.ts';

/** For blocks that only show something on kinds of pages that are not rendered here. */
const nothingBlock: Make = () => '';

/**
 * Renderers of the blocks that the server renders, by their names. For a new one, add its type with `made` in
 * packages/blocks/src/block-types, a file in `blocks`, and a row here.
 */
export const makers: Readonly<Record<string, Make>> = {
  'core/archives': archives,
  'core/avatar': avatarBlock,
  'core/block': blockReference,
  'core/breadcrumbs': breadcrumbsBlock,
  'core/calendar': calendar,
  'core/categories': categories,
  'core/comment-author-name': commentAuthorName,
  'core/comment-content': commentContent,
  'core/comment-date': commentDate,
  'core/comment-reply-link': commentReplyLink,
  'core/comment-template': commentTemplate,
  'core/comments': commentsBlock,
  'core/comments-title': commentsTitle,
  'core/home-link': homeLink,
  'core/icon': iconBlock,
  'core/latest-comments': latestCommentsBlock,
  'core/latest-posts': latestPosts,
  'core/loginout': loginout,
  'core/navigation': navigationBlock,
  'core/navigation-link': navigationLink,
  'core/navigation-submenu': navigationSubmenu,
  'core/page-list': pageList,
  'core/pattern': nothingBlock,
  'core/post-author': postAuthor,
  'core/post-author-biography': postAuthorBiography,
  'core/post-author-name': postAuthorName,
  'core/post-comments-count': postCommentsCount,
  'core/post-comments-form': commentsForm,
  'core/post-comments-link': postCommentsLink,
  'core/post-content': postContent,
  'core/post-date': postDate,
  'core/post-excerpt': postExcerpt,
  'core/post-featured-image': postFeaturedImage,
  'core/post-navigation-link': nothingBlock,
  'core/post-template': postTemplate,
  'core/post-terms': postTerms,
  'core/post-time-to-read': postTimeToRead,
  'core/post-title': postTitle,
  'core/query-no-results': queryNoResults,
  'core/query-pagination': queryPagination,
  'core/query-pagination-next': queryPaginationNext,
  'core/query-pagination-numbers': queryPaginationNumbers,
  'core/query-pagination-previous': queryPaginationPrevious,
  'core/query-title': nothingBlock,
  'core/query-total': queryTotal,
  'core/read-more': readMore,
  'core/rss': rss,
  'core/search': searchBlock,
  'core/site-logo': siteLogo,
  'core/site-tagline': siteTagline,
  'core/site-title': siteTitle,
  'core/social-link': socialLink,
  'core/tag-cloud': tagCloud,
  'core/template-part': nothingBlock,
  'core/term-count': termCount,
  'core/term-description': termDescription,
  'core/term-name': termName,
  'core/term-template': termTemplate,
};
