import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { page, post, product } from '#domain/entry/kinds.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { themeOf } from '#domain/plugins/extensions/catalogue.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { roles } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { titleOf } from '#site/rendering/fragments.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { signed } from '../builder-library/sharing.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { strict } from '../kit/field.ts';

export function listRoles(): Answer {
  const named = roles.toReversed().map((role) => [role, role.charAt(0).toUpperCase() + role.slice(1)]);
  return rawAnswer(Object.fromEntries(named));
}

export const customPhp = strict('custom_php', z.string());

/** Signs a text for later comparison. It is never executed. */
export function generateHash(call: Call<Session>, clock: () => number): Answer {
  return rawAnswer(signed(call.model, customPhp.of(call) ?? '', clock()));
}

const maxProducts = 100;

export function listShopProducts({ model }: Call<Model>): Answer {
  const statuses = [{ status: 'publish' }];
  const query = {
    kind: product.name,
    statuses,
    orderBy: 'date',
    order: 'desc',
    offset: 0,
    limit: maxProducts,
  } as const;
  const rows = model
    .present()
    .find(query)
    .ids.flatMap((id) => model.entry(id) ?? []);
  return rawAnswer(rows.map((row) => ({ label: `${titleOf(row)} - ${row.id}`, value: row.id })));
}

export function listFonts({ model }: Call<Model>, { themes }: PluginSettings): Answer {
  return rawAnswer(themeOf(themes, model.plugin(extensions))?.fonts ?? []);
}

export function listBuilderTerms({ model }: Call<Model>): Answer {
  const category = { label: 'Categories', terms: termsOf('category', model) };
  const tag = { label: 'Tags', terms: termsOf('post_tag', model) };
  return rawAnswer({
    [post.name]: { label: 'Posts', taxonomies: { category, post_tag: tag } },
    [page.name]: { label: 'Pages', taxonomies: [] },
  });
}

function termsOf(taxonomy: Taxonomy, model: Model): readonly Record<string, unknown>[] {
  const used = model.terms(taxonomy).filter(({ published }) => published > 0);
  return used.map(({ id, name, slug, description, parent, published }) => ({
    ...{ term_id: id, name, slug, term_group: 0, term_taxonomy_id: id, taxonomy, description, parent },
    count: published,
    filter: 'raw',
  }));
}
