import { assetKinds, assetVariants, crawlers, z } from 'palimpsest/plugin';
import { cloudStatuses, noticeLevels } from './cloud/events.ts';

const count = z.int().min(0);
const id = z.int().min(1);
const digest = z.string().regex(/^[\da-f]{64}$/);
/** UTC, ISO 8601 with milliseconds. */
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The response of a callback: the fields of a success, or one of the error codes. */
function resultAnswer(
  fields: z.ZodRawShape,
  [first, ...rest]: readonly [string, ...string[]] | readonly [],
): z.ZodType {
  const ok = z.object({ _res: z.literal('ok'), ...fields });
  if (first === undefined) return ok;
  return z.union([ok, z.object({ _res: z.literal('err'), _msg: z.enum([first, ...rest]) })]);
}

/** 1: the crawler is active now, 0: it is paused; null: no crawler was named. */
export const toggled = z.union([z.literal([0, 1]), z.null()]);
export const cacheAddress = z.string();

export const notifiedImages = resultAnswer({ count }, [
  'too_often',
  'no notified data',
  'no/wrong server',
  'no status',
]);
export const notifiedAssets = resultAnswer({ count }, ['no notified data']);

const size = { width: z.int().min(1), height: z.int().min(1) };
const metadata = z.object({ ...size, file: z.string(), sizes: z.record(z.string(), z.object(size)) });
const record = z.object({
  id,
  optm_status: z.literal(6),
  src: z.url(),
  srcpath_md5: z.string(),
  src_md5: z.string(),
  server_info: z.object({ server: z.string() }).catchall(count),
});

export const checkedImage = resultAnswer(
  {
    data: z.object({
      img_count: z.object({ max_id: count, groups_all: count, groups_new: count, groups_done: count }).catchall(count),
      optm_summary: z.object({ reduced: count, next_post_id: count }),
      _cms_attached_file: z.string(),
      _cms_attachment_metadata: z.union([metadata, z.literal('')]),
      img_data: z.array(record),
    }),
  },
  ['lack_of_params'],
);

export const validated = resultAnswer({ hash: digest }, ['lack_of_params', 'err_hash']);
export const echoed = resultAnswer({ signature_b64: z.string() }, ['no_echo_data', 'echo_invalid', 'echo_expired']);

export const pinged = z
  .object({
    _res: z.literal('ok'),
    v_cache: z.string(),
    v_cache_db: z.string(),
    v_runtime: z.string(),
    v_cms: z.string(),
    home_url: z.url(),
    site_url: z.url(),
    queues: z.object(Object.fromEntries(assetKinds.map((kind) => [kind, count]))),
  })
  .catchall(z.enum(['y', 'n']));

export const statusTaken = resultAnswer({ cloud_activated: z.enum(cloudStatuses).nullable() }, ['lack_of_params']);
export const aliasTaken = resultAnswer({}, ['lack_of_param', 'not_an_alias']);

export const cloud = z.object({
  status: z.enum(cloudStatuses).nullable(),
  cdn: z.boolean(),
  notices: z.array(
    z.object({ level: z.enum(noticeLevels), text: z.string().describe('HTML'), service: z.string(), at: instant }),
  ),
  usage: z.record(z.string(), z.unknown()).describe('By service, as it was reported'),
  pending: z.array(z.object({ url: z.string(), at: instant })),
  paused_crawlers: z.array(count),
  crawlers: z.array(z.object({ id: count, name: z.enum(crawlers), active: z.boolean(), made: count })),
});

const slots = assetKinds.flatMap((kind) => assetVariants.map((variant) => `${kind} ${variant}`));
const asset = z.object({ url: z.string(), hash: digest, data: z.union([z.string(), z.array(z.string())]) });
export const assets = z.object(Object.fromEntries(slots.map((slot) => [slot, asset.optional()])));
