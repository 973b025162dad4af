import { createHash } from 'node:crypto';
import type { PluginCall, PluginMediaFiles, PluginSession } from 'palimpsest/plugin';
import { done, failing, numberIn } from '../values.ts';
import { cacheImages, siteKey } from './area.ts';
import { optimisableImages, sourceDigest } from './optimisable.ts';

/** Statuses for which the service expects a count of images; only 6 is ever stored here. */
const counted = [1, 3, 6, -5];

export function checkImg({ model, params, mediaFiles }: PluginCall<PluginSession>) {
  const id = numberIn(params['data']);
  if (id === null || !Number.isInteger(id)) return failing('lack_of_params');
  const found = mediaFiles(id);
  const media = found?.isPrivate === true ? undefined : found;
  return done({
    data: {
      ...summaryOf(model),
      _cms_attached_file: media?.path ?? '',
      _cms_attachment_metadata: media === undefined ? '' : metadataOf(media),
      img_data: media === undefined ? [] : recordsOf(media, model),
    },
  });
}

function summaryOf(model: PluginSession) {
  const images = optimisableImages(model);
  const records = model.documents(cacheImages);
  const next = Math.max(0, ...[...records.keys()].filter((key) => key !== siteKey).map(Number));
  const withStatus = (status: number) => images.filter((id) => records.get(String(id))?.status === status).length;
  const done = images.filter((id) => id <= next).length;
  const pairs = counted.flatMap((status) => {
    const count = withStatus(status);
    return [
      [`img.${status}`, count],
      [`group.${status}`, count],
    ] as const;
  });
  return {
    img_count: {
      max_id: images.at(-1) ?? 0,
      groups_all: images.length,
      groups_new: images.length - done,
      groups_done: done,
      ...Object.fromEntries(pairs),
    },
    optm_summary: { reduced: records.get(siteKey)?.reduced ?? 0, next_post_id: next },
  };
}

function metadataOf({ path, files: [main, ...sizes] }: PluginMediaFiles) {
  if (main === undefined) return '';
  const { width, height } = main;
  const each = sizes.map(({ size, width, height }) => [size, { width, height }] as const);
  return { width, height, file: path, sizes: Object.fromEntries(each) };
}

/** One record per file; the first one reports what all of them together saved. */
function recordsOf({ id, files }: PluginMediaFiles, model: PluginSession) {
  const { status, server, totals } = model.document(cacheImages, String(id));
  if (status === null) return [];
  return files.map((file, index) => ({
    id,
    optm_status: status,
    src: file.url,
    srcpath_md5: createHash('md5').update(file.url).digest('hex'),
    src_md5: sourceDigest(file),
    server_info: { server, ...(index === 0 ? totals : {}) },
  }));
}
