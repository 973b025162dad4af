import { type PluginCall, type PluginReader, type PluginRoute, z } from 'palimpsest/plugin';
import * as answers from './answers.ts';
import { listBlogPosts } from './blog-posts.ts';
import { commentArgs, renderComments } from './comments.ts';
import { listProducts, queryProducts } from './products.ts';
import { queryAttributes } from './query.ts';
import { cutWanted, resizeArgs, resizeImage } from './resize.ts';
import { options, pageId, showStyles, updateStyles } from './styles.ts';
import { failure, required, success } from './values.ts';

const access = 'editPosts';

/** Errors are reported with status 200. */
export const routes: readonly PluginRoute[] = [
  {
    method: 'GET',
    path: 'get-styles',
    access,
    summary: 'Show the styles of blocks',
    args: { page_id: pageId },
    answers: answers.styles,
    query: showStyles,
  },
  {
    method: 'POST',
    path: 'update-styles',
    access,
    summary: 'Save the styles of blocks',
    args: { options, page_id: pageId },
    answers: answers.saved,
    command: updateStyles,
  },
  {
    method: 'POST',
    path: 'get-blog-posts',
    access,
    summary: 'Render posts for a block',
    args: { queryAttributes },
    answers: answers.posts,
    query: listBlogPosts,
  },
  {
    method: 'POST',
    path: 'render-comments',
    access,
    summary: 'Render the contents below a post',
    args: commentArgs,
    answers: answers.fragment,
    query: renderComments,
  },
  {
    method: 'GET',
    path: 'get-contact-form',
    access,
    summary: 'List the contact forms',
    answers: answers.forms,
    query: listForms,
  },
  {
    method: 'POST',
    path: 'render-contact-form',
    access,
    summary: 'Render a contact form',
    args: { formID: required(z.int().min(0)) },
    answers: answers.fragment,
    query: renderForm,
  },
  {
    method: 'POST',
    path: 'resize-image',
    access,
    summary: 'Crop an image to a size',
    args: resizeArgs,
    answers: answers.rendition,
    prepare: cutWanted,
    command: resizeImage,
  },
  {
    method: 'GET',
    path: 'get-products-list',
    access,
    summary: 'List the products',
    answers: answers.goods,
    query: listProducts,
  },
  {
    method: 'POST',
    path: 'get-products-list-query',
    access,
    summary: 'Render products for a block',
    args: { queryAttributes },
    answers: answers.products,
    query: queryProducts,
  },
];

/** A form is a published page with the contact form template, named by its title. */
function listForms({ view }: PluginCall<PluginReader>) {
  const forms = view.contactForms();
  if (forms.length === 0) return failure('There are no contact forms.');
  return success(Object.fromEntries(forms.map(({ id, title }) => [id, title])));
}

function renderForm({ view, params }: PluginCall<PluginReader>) {
  const id = Number(params['formID'] ?? 0);
  if (id === 0) return failure('No contact form is chosen.');
  const form = view.contactForm(id);
  return form === null ? failure('There is no such contact form.') : success(form.markup);
}
