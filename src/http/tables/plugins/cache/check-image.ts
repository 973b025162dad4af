import { createHash } from 'node:crypto';
import type { Session } from '#commands/session.ts';
import { cacheImages, siteKey } from '#domain/plugins/cache-images/area.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { fileUrl, shownFile } from '#site/addresses/media.ts';
import { isPrivate } from '#site/rights/media.ts';
import { numberOf } from '#text/shapes.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { err, ok } from '../kit/envelopes.ts';
import { optimisableFiles, optimisableImages, sourceDigest } from './optimisable.ts';

/** Statuses for which the service expects a count of images; only 6 is ever stored here. */
const counted = [1, 3, 6, -5];

export function checkImg({ model, params }: Call<Session>): Answer {
  const id = numberOf(params['data']);
  if (id === null || !Number.isInteger(id)) return err('lack_of_params');
  const found = model.media(id);
  const media = found === undefined || isPrivate(found) ? undefined : found;
  return ok({
    data: {
      ...summaryOf(model),
      _cms_attached_file: media === undefined ? '' : pathOf(media),
      _cms_attachment_metadata: media === undefined ? '' : metadataOf(media),
      img_data: media === undefined ? [] : recordsOf(media, model),
    },
  });
}

function summaryOf(model: Session) {
  const images = optimisableImages(model);
  const records = model.plugins(cacheImages);
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

function pathOf(media: MediaRow): string {
  return `${media.folder}/${shownFile(media)}`;
}

function metadataOf(media: MediaRow) {
  const { image, shown, sizes } = media;
  if (image === null) return '';
  const { width, height } = shown ?? image;
  const each = sizes.map(({ name, ...size }) => [name, { width: size.width, height: size.height }] as const);
  return { width, height, file: pathOf(media), sizes: Object.fromEntries(each) };
}

/** One record per file; the first one reports what all of them together saved. */
function recordsOf(media: MediaRow, model: Session) {
  const { status, server, totals } = model.plugin(cacheImages, String(media.id));
  if (status === null) return [];
  return optimisableFiles(media).map((file, index) => {
    const src = fileUrl(media, file.name, model);
    return {
      id: media.id,
      optm_status: status,
      src,
      srcpath_md5: createHash('md5').update(src).digest('hex'),
      src_md5: sourceDigest(file),
      server_info: { server, ...(index === 0 ? totals : {}) },
    };
  });
}
