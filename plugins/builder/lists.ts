import {
  type PluginCall,
  type PluginReader,
  type PluginSession,
  type PluginTaxonomy,
  reply,
  z,
} from 'palimpsest/plugin';
import { signed } from './designs/sharing.ts';
import { strictParam } from './fields.ts';
import { allRoles } from './vocabulary.ts';

export function listRoles() {
  const named = allRoles.toReversed().map((role) => [role, role.charAt(0).toUpperCase() + role.slice(1)]);
  return reply(Object.fromEntries(named));
}

export const customPhp = strictParam('custom_php', z.string());

/** Signs a text for later comparison. It is never executed. */
export function generateHash(call: PluginCall<PluginSession>) {
  return reply(signed(call, customPhp.of(call) ?? ''));
}

const maxProducts = 100;

export function listShopProducts({ model, view }: PluginCall<PluginReader>) {
  const { ids } = model.find({ kind: 'product', limit: maxProducts });
  return reply(ids.map((id) => ({ label: `${view.entry(id)?.title ?? ''} - ${id}`, value: id })));
}

export function listFonts({ theme }: PluginCall<PluginReader>) {
  return reply(theme()?.fonts ?? []);
}

export function listBuilderTerms({ model }: PluginCall<PluginReader>) {
  const category = { label: 'Categories', terms: termsOf('category', model) };
  const tag = { label: 'Tags', terms: termsOf('post_tag', model) };
  return reply({
    post: { label: 'Posts', taxonomies: { category, post_tag: tag } },
    page: { label: 'Pages', taxonomies: [] },
  });
}

function termsOf(taxonomy: PluginTaxonomy, model: PluginReader): readonly Record<string, unknown>[] {
  const used = model.terms(taxonomy).filter(({ published }) => published > 0);
  return used.map(({ id, name, slug, description, parent, published }) => ({
    term_id: id,
    name,
    slug,
    term_group: 0,
    term_taxonomy_id: id,
    taxonomy,
    description,
    parent,
    count: published,
    filter: 'raw',
  }));
}
