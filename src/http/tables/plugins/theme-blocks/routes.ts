import { z } from 'zod';
import { entries } from '#projections/entries/definition.ts';
import type { Model } from '#projections/reading/model.ts';
import { contactForm, contactFormOf, contactTemplate } from '#site/contact.ts';
import { titleOf } from '#site/rendering/fragments.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { failure, success } from '../kit/envelopes.ts';
import { lenient, sentArgsOf } from '../kit/field.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { listBlogPosts } from './blog-posts.ts';
import { attributes, postID, renderComments } from './comments.ts';
import { listProducts, queryProducts } from './products.ts';
import { queryAttributes } from './query.ts';
import { customSize, imageId, resizeImage } from './resize.ts';
import { options, pageId, showStyles, updateStyles } from './styles.ts';

const formID = lenient('formID', z.int().min(0), { required: true });

const name = 'theme-blocks/v1';
const access = 'editPosts';

/** Data that the blocks of the theme need in editors. Errors are reported with status 200. */
export const themeBlocks: Namespace = {
  name,
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

/** A form is a published page with the contact form template, named by its title. */
function listForms({ model }: Call<Model>): Answer {
  const forms = model
    .present()
    .of(entries)
    .templated(contactTemplate)
    .flatMap((id) => contactFormOf(id, model) ?? []);
  if (forms.length === 0) return failure('There are no contact forms.');
  return success(Object.fromEntries(forms.map((form) => [form.id, titleOf(form)])));
}

function renderForm(call: Call<Model>): Answer {
  const id = formID.of(call) ?? 0;
  if (id === 0) return failure('No contact form is chosen.');
  const form = contactFormOf(id, call.model);
  return form === null
    ? failure('There is no such contact form.')
    : success(contactForm({ id, title: titleOf(form) }, call.model).markup);
}
