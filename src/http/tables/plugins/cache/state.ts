import { cacheAssets } from '#domain/plugins/cache-assets/area.ts';
import { cacheCloud, stillPending } from '#domain/plugins/cache-cloud/area.ts';
import { cacheCrawler } from '#domain/plugins/cache-crawler/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { escapedHtml } from '#site/markup/html.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { fresh } from '../kit/envelopes.ts';
import type { PluginParts } from '../kit/namespace.ts';

/** Status, notices and usage; texts from the cloud are escaped. */
export function showCloud({ model }: Call<Model>, { clock, crawlers }: PluginParts): Answer {
  const cloud = model.plugin(cacheCloud);
  const { status, cdn, notices, usage } = cloud;
  const shown = notices.map((notice) => ({ ...notice, text: escapedHtml(notice.text) }));
  const { paused } = model.plugin(cacheCrawler);
  const pending = stillPending(cloud, new Date(clock()).toISOString());
  return fresh({ status, cdn, notices: shown, usage, pending, paused_crawlers: paused, crawlers: crawlers() });
}

export function showAssets({ model, params }: Call<Model>): Answer {
  return fresh(model.plugin(cacheAssets, String(params['id'])));
}
