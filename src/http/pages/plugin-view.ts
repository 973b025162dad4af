import { partOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { entries } from '#projections/entries/definition.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { type QueryBlocks, queryBlocks } from '#projections/plugins/query-blocks.ts';
import type { Model } from '#projections/reading/model.ts';
import { avatars, guid, permalink, termLink, userLink } from '#site/addresses/items.ts';
import { contactForm, contactFormOf, contactTemplate } from '#site/contact.ts';
import { classList, termsByName } from '#site/entries/classes.ts';
import { plainTitle, publicItem } from '#site/items/item.ts';
import { priceMarkup } from '#site/markup/price.ts';
import { morePosts } from '#site/post-lists/more.ts';
import { commentsInWords } from '#site/post-lists/template.ts';
import { passwordMarkup } from '#site/rendering/blocks/post-parts.ts';
import {
  avatarMarkup,
  categoryLinks,
  entrySummary,
  pictureMarkup,
  pictureOf,
  titleOf,
} from '#site/rendering/fragments.ts';
import { plain } from '#text/html.ts';
import type { EntryView, PluginView } from '../../plugin/view.ts';
import { commentList } from './discussion.ts';

export function viewOf(model: Model, viewer: Viewer): PluginView {
  return {
    entry(id) {
      const row = model.entry(id);
      return row && entryView(row, model);
    },
    text(id) {
      const item = model.entry(id) && publicItem(id, model);
      return item && { title: plainTitle(item), content: plain(item.content()) };
    },
    user(id) {
      const user = model.user(id);
      const picture = avatarMarkup(id, model);
      if (user === undefined || picture === null) return undefined;
      const { url } = model.site();
      const { firstName, lastName } = user;
      return { address: userLink(user, url), firstName, lastName, picture, pictureUrl: avatars(user, url)[96] ?? '' };
    },
    image(id, size) {
      const picture = pictureOf(id, size, { model, viewer });
      const element = pictureMarkup(id, size, { model, viewer });
      return picture && element && { ...picture, element };
    },
    comments: (id) => commentList(id, model),
    morePosts(list, pages) {
      const use = (blocks: QueryBlocks) => morePosts(blocks, { list, ...pages }, model);
      const found = model.present().following(queryBlocks);
      return found instanceof Promise ? found.then(use) : use(found);
    },
    contactForms: () =>
      model
        .present()
        .of(entries)
        .templated(contactTemplate)
        .flatMap((id) => contactFormOf(id, model) ?? [])
        .map((row) => ({ id: row.id, title: titleOf(row) })),
    contactForm(id) {
      const form = contactFormOf(id, model);
      return form && contactForm({ id, title: titleOf(form) }, model);
    },
  };
}

function entryView(row: EntryRow, model: Model): EntryView {
  return {
    get address() {
      return permalink(row, model);
    },
    get guid() {
      return guid(row, model);
    },
    get comments() {
      return model.comments.count(row.id);
    },
    get commentsInWords() {
      return commentsInWords(model.comments.count(row.id));
    },
    get title() {
      return titleOf(row);
    },
    get classes() {
      return classList(row, model);
    },
    get categories() {
      return categoryLinks(row, model);
    },
    terms(taxonomy) {
      const terms = termsByName(taxonomy === 'category' ? row.categories : row.tags, model);
      return terms.map((term) => ({ id: term.id, name: plain(term.name), address: termLink(term, model) }));
    },
    get price() {
      return priceMarkup(partOf(productPart, row));
    },
    get passwordForm() {
      return passwordMarkup(permalink(row, model));
    },
    summary: () => entrySummary(row, model),
  };
}
