import { z } from 'zod';
import { count, htmlAnswer, id, outcomeAnswer, successAnswer } from '../kit/answers.ts';

const style = z.looseObject({ key: z.string(), values: z.array(z.looseObject({})) });
export const styles = successAnswer(z.array(style));
export const saved = outcomeAnswer(z.null());

const classes = z.array(z.string());
const post = z.object({
  postID: id,
  blogItemClasses: classes,
  isPasswordRequired: z.boolean(),
  authorAvatar: htmlAnswer,
  authorName: z.string(),
  authorURL: z.string(),
  postCategories: htmlAnswer,
  featuredImage: htmlAnswer,
  dateLink: z.string(),
  dateBoxed: z.string(),
  date: z.string(),
  dateClasses: z.array(z.enum(['published', 'updated'])),
  passwordForm: htmlAnswer,
  excerpt: z.string(),
  title: htmlAnswer,
  permalink: z.string(),
});
const product = z.object({
  title: htmlAnswer,
  productItemClasses: classes,
  mark: z.array(z.enum(['out-of-stock', 'sale'])),
  productImage: htmlAnswer,
  productLink: z.string(),
  productPriceHTML: htmlAnswer,
  productCategoryHTML: htmlAnswer,
  productRatingHTML: htmlAnswer,
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
export const posts = successAnswer(z.union([z.object({ maxNumPages: id, queriedPostsData: z.array(post) }), none]));
export const products = successAnswer(
  z.union([z.object({ maxNumPages: id, queriedProductsData: z.array(product) }), none]),
);

export const fragment = outcomeAnswer(htmlAnswer);
export const forms = outcomeAnswer(z.record(z.string(), z.string()));
export const goods = outcomeAnswer(z.record(z.string(), z.object({ title: z.string(), addToCartText: z.string() })));
export const rendition = outcomeAnswer(z.object({ url: z.url(), width: count.min(1), height: count.min(1) }));
