import { formatNames } from '#domain/entry/format-names.ts';
import { usedFormats } from '#projections/site/formats.ts';
import { asciiJson } from '#text/json.ts';
import type { HitSearch } from './hit.ts';
import { cut } from './page.ts';

export const searchFormats: HitSearch = (call) => {
  const { params, model } = call;
  const words = String(params['search'] ?? '').toLowerCase();
  const used = new Set(model.present().of(usedFormats).all());
  const found = Object.entries(formatNames).filter(
    ([format, name]) => used.has(format) && (format.includes(words) || name.toLowerCase().includes(words)),
  );
  const { url } = model.site();
  const hits = cut(found, call).map(([format, name]) => ({
    ...{ id: format, title: asciiJson(name), url: `${url}/type/${format}/`, type: 'post-format', record: null },
  }));
  return { hits, total: found.length };
};
