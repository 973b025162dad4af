import { z } from 'zod';
import { count, html, id, outcomeOf, success } from '../kit/answers.ts';

const style = z.looseObject({ key: z.string(), values: z.array(z.looseObject({})) });
export const styles = success(z.array(style));
export const saved = outcomeOf(z.null());

const classes = z.array(z.string());
const post = z.object({
  postID: id,
  blogItemClasses: classes,
  isPasswordRequired: z.boolean(),
  authorAvatar: html,
  authorName: z.string(),
  authorURL: z.string(),
  postCategories: html,
  featuredImage: html,
  dateLink: z.string(),
  dateBoxed: z.string(),
  date: z.string(),
  dateClasses: z.array(z.enum(['published', 'updated'])),
  passwordForm: html,
  excerpt: z.string(),
  title: html,
  permalink: z.string(),
});
const product = z.object({
  title: html,
  productItemClasses: classes,
  mark: z.array(z.enum(['out-of-stock', 'sale'])),
  productImage: html,
  productLink: z.string(),
  productPriceHTML: html,
  productCategoryHTML: html,
  productRatingHTML: html,
  addToCartButtonParams: z.object({
    custom_attrs: z.object({ rel: z.literal('nofollow') }),
    button_link: z.object({ url: z.string() }),
    buttonText: z.string(),
    button_classes: classes,
    icon_classes: classes,
    data_attrs: z.object({ product_id: id, product_sku: z.string(), quantity: z.literal(1) }),
  }),
});

const none = z.object({ maxNumPages: z.literal(0) });
export const posts = success(z.union([z.object({ maxNumPages: id, queriedPostsData: z.array(post) }), none]));
export const products = success(z.union([z.object({ maxNumPages: id, queriedProductsData: z.array(product) }), none]));

export const fragment = outcomeOf(html);
export const forms = outcomeOf(z.record(z.string(), z.string()));
export const goods = outcomeOf(z.record(z.string(), z.object({ title: z.string(), addToCartText: z.string() })));
export const rendition = outcomeOf(z.object({ url: z.url(), width: count.min(1), height: count.min(1) }));
