import { z } from 'palimpsest/plugin';
import { markupSchema, outcomeSchema, positive, successSchema } from './values.ts';

const style = z.looseObject({ key: z.string(), values: z.array(z.looseObject({})) });
export const styles = successSchema(z.array(style));
export const saved = outcomeSchema(z.null());

const classes = z.array(z.string());
const post = z.object({
  postID: positive,
  blogItemClasses: classes,
  isPasswordRequired: z.boolean(),
  authorAvatar: markupSchema,
  authorName: z.string(),
  authorURL: z.string(),
  postCategories: markupSchema,
  featuredImage: markupSchema,
  dateLink: z.string(),
  dateBoxed: z.string(),
  date: z.string(),
  dateClasses: z.array(z.enum(['published', 'updated'])),
  passwordForm: markupSchema,
  excerpt: z.string(),
  title: markupSchema,
  permalink: z.string(),
});
const product = z.object({
  title: markupSchema,
  productItemClasses: classes,
  mark: z.array(z.enum(['out-of-stock', 'sale'])),
  productImage: markupSchema,
  productLink: z.string(),
  productPriceHTML: markupSchema,
  productCategoryHTML: markupSchema,
  productRatingHTML: markupSchema,
  addToCartButtonParams: z.object({
    custom_attrs: z.object({ rel: z.literal('nofollow') }),
    button_link: z.object({ url: z.string() }),
    buttonText: z.string(),
    button_classes: classes,
    icon_classes: classes,
    data_attrs: z.object({ product_id: positive, product_sku: z.string(), quantity: z.literal(1) }),
  }),
});

const none = z.object({ maxNumPages: z.literal(0) });
export const posts = successSchema(
  z.union([z.object({ maxNumPages: positive, queriedPostsData: z.array(post) }), none]),
);
export const products = successSchema(
  z.union([z.object({ maxNumPages: positive, queriedProductsData: z.array(product) }), none]),
);

export const fragment = outcomeSchema(markupSchema);
export const forms = outcomeSchema(z.record(z.string(), z.string()));
export const goods = outcomeSchema(z.record(z.string(), z.object({ title: z.string(), addToCartText: z.string() })));
export const rendition = outcomeSchema(z.object({ url: z.url(), width: positive, height: positive }));
