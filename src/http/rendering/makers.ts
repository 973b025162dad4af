import { avatar } from './blocks/avatar.ts';
import { calendar } from './blocks/calendar.ts';
import { commentAuthorName, commentContent, commentDate, commentReplyLink } from './blocks/comment-parts.ts';
import { comments, commentsTitle, commentTemplate } from './blocks/comments.ts';
import { commentsForm } from './blocks/comments-form.ts';
import { latestComments } from './blocks/latest-comments.ts';
import { loginout } from './blocks/loginout.ts';
import { navigation } from './blocks/navigation.ts';
import { homeLink, navigationLink, navigationSubmenu } from './blocks/navigation-items.ts';
import { postTitle } from './blocks/post-title.ts';
import { rss } from './blocks/rss.ts';
import { search } from './blocks/search.ts';
import { siteLogo, siteTagline, siteTitle } from './blocks/site.ts';
import { socialLink } from './blocks/social-link.ts';
import type { Make } from './types.ts';

/**
 * What makes the blocks that the server makes, by their names. A new one: a file in `blocks`, a row here, and its name
 * in `serverBlocks` (src/text/server-blocks.ts), so that texts with it are rendered each time they are shown. What it
 * tells the blocks in it is a row of `told` there.
 */
export const makers: Readonly<Record<string, Make>> = {
  'core/avatar': avatar,
  'core/calendar': calendar,
  'core/comment-author-name': commentAuthorName,
  'core/comment-content': commentContent,
  'core/comment-date': commentDate,
  'core/comment-reply-link': commentReplyLink,
  'core/comment-template': commentTemplate,
  'core/comments': comments,
  'core/comments-title': commentsTitle,
  'core/home-link': homeLink,
  'core/latest-comments': latestComments,
  'core/loginout': loginout,
  'core/navigation': navigation,
  'core/navigation-link': navigationLink,
  'core/navigation-submenu': navigationSubmenu,
  'core/post-comments-form': commentsForm,
  'core/post-title': postTitle,
  'core/rss': rss,
  'core/search': search,
  'core/site-logo': siteLogo,
  'core/site-tagline': siteTagline,
  'core/site-title': siteTitle,
  'core/social-link': socialLink,
};
