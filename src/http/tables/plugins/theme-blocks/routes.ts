import { sentArgsOf } from '../kit/field.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { listBlogPosts } from './blog-posts.ts';
import { attributes, postID, renderComments } from './comments.ts';
import { formID, listForms, renderForm } from './contact.ts';
import { listProducts, queryProducts } from './products.ts';
import { queryAttributes } from './query.ts';
import { customSize, imageId, resizeImage } from './resize.ts';
import { options, pageId, showStyles, updateStyles } from './styles.ts';

const name = 'theme-blocks/v1';
const access = 'editPosts';

/** Data that the blocks of the theme need in editors. Errors are reported with status 200. */
export const themeBlocks: Namespace = {
  name,
  deployments: ['A'],
  routes: ({ uploads }) =>
    tableOf(name, [
      {
        ...{ method: 'GET', path: 'get-styles', access, summary: 'Show the styles of blocks' },
        args: sentArgsOf(pageId),
        answers: answers.styles,
        query: showStyles,
      },
      {
        ...{ method: 'POST', path: 'update-styles', access, summary: 'Save the styles of blocks' },
        args: sentArgsOf(options, pageId),
        answers: answers.saved,
        command: updateStyles,
      },
      {
        ...{ method: 'POST', path: 'get-blog-posts', access, summary: 'Render posts for a block' },
        args: sentArgsOf(queryAttributes),
        answers: answers.posts,
        query: listBlogPosts,
      },
      {
        ...{ method: 'POST', path: 'render-comments', access, summary: 'Render the contents below a post' },
        args: sentArgsOf(postID, attributes),
        answers: answers.fragment,
        query: renderComments,
      },
      {
        ...{ method: 'GET', path: 'get-contact-form', access, summary: 'List the contact forms' },
        answers: answers.forms,
        query: listForms,
      },
      {
        ...{ method: 'POST', path: 'render-contact-form', access, summary: 'Render a contact form' },
        args: sentArgsOf(formID),
        answers: answers.fragment,
        query: renderForm,
      },
      {
        ...{ method: 'POST', path: 'resize-image', access, summary: 'Crop an image to a size' },
        args: sentArgsOf(imageId, customSize),
        answers: answers.rendition,
        work: () => resizeImage(uploads),
      },
      {
        ...{ method: 'GET', path: 'get-products-list', access, summary: 'List the products' },
        answers: answers.goods,
        query: listProducts,
      },
      {
        ...{
          method: 'POST',
          path: 'get-products-list-query',
          access,
          summary: 'Render products for a block',
        },
        args: sentArgsOf(queryAttributes),
        answers: answers.products,
        query: queryProducts,
      },
    ]),
};
