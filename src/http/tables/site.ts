import { gmtNow, secondsBetween, toLocal } from '#domain/time/local.ts';
import type { Model } from '#projections/model.ts';

/** Leading fields of the site index (interface behaviour, section 24). */
export function siteFields(model: Model, clock: () => number): Readonly<Record<string, unknown>> {
  const { name, description, url, timezone } = model.site();
  const gmt = gmtNow(clock());
  return {
    name,
    description,
    url,
    home: url,
    gmt_offset: secondsBetween(gmt, toLocal(gmt, timezone)) / 3600,
    timezone_string: /^[+-]/.test(timezone) ? '' : timezone,
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    site_logo: null,
    site_icon: 0,
    site_icon_url: '',
  };
}
