import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  type AssetKind,
  type PluginCall,
  type PluginFault,
  type PluginReader,
  type PluginRoute,
  type PluginSession,
  reply,
  z,
} from 'palimpsest/plugin';
import * as answers from './answers.ts';
import { callback } from './callback.ts';
import { cacheCloud, stillPending } from './cloud/area.ts';
import { confirmAlias, setStatus } from './cloud/decide.ts';
import { cloudStatuses } from './cloud/events.ts';
import { cacheCrawler, toggleCrawler } from './crawler.ts';
import { checkImg } from './images/check.ts';
import { notifyImg } from './images/notify.ts';
import { notifyAssets } from './notify-assets.ts';
import { ping, pingArgs } from './ping.ts';
import { cacheSecret, cacheSettings } from './settings.ts';
import { callbackText, done, failing, numberIn, uncheckedArg } from './values.ts';

/** Seconds for which a challenge is answered. */
const questionStands = 86_400;

const crawlerId = z.union([z.int().min(0), z.string().regex(/^\d{1,15}$/)]);

const administration: readonly PluginRoute[] = [
  {
    method: 'POST',
    path: 'toggle_crawler_state',
    summary: 'Pause or resume a crawler',
    access: 'admin',
    args: { crawler_id: { schema: z.unknown(), sent: crawlerId, check: digits, hidden: true } },
    answers: answers.toggled,
    command: toggle,
  },
  {
    method: 'GET',
    path: 'tool/check_ip',
    summary: "Show the server's public address",
    access: 'admin',
    answers: answers.cacheAddress,
    query: publicAddress,
  },
];

const reports: readonly PluginRoute[] = [
  callback({
    path: 'notify_img',
    summary: 'Receive the results of an image optimiser',
    service: 'img_optm',
    args: { data: uncheckedArg(z.object({})), server: uncheckedArg(z.string()), status: uncheckedArg(z.int()) },
    answers: answers.notifiedImages,
    handle: notifyImg,
  }),
  assetCallback('ccss', 'critical styles'),
  assetCallback('ucss', 'used styles'),
  assetCallback('vpi', 'the first visible images'),
  callback({
    path: 'check_img',
    summary: 'Show the progress of image optimisation',
    service: 'img_optm',
    args: { data: uncheckedArg(z.int().describe('Identifier of a media item.')) },
    answers: answers.checkedImage,
    handle: checkImg,
  }),
];

function assetCallback(kind: AssetKind, what: string): PluginRoute {
  return callback({
    path: `notify_${kind}`,
    summary: `Receive ${what} of pages`,
    service: 'page_assets',
    args: { data: uncheckedArg(z.array(z.object({ request_url: z.string(), queue_k: z.string() }).loose())) },
    answers: answers.notifiedAssets,
    handle: (call) => notifyAssets(call, kind),
  });
}

const views: readonly PluginRoute[] = [
  {
    method: 'GET',
    path: 'cloud',
    summary: 'Show the reports of the cache cloud',
    access: 'admin',
    unlisted: true,
    answers: answers.cloud,
    query: showCloud,
  },
  {
    method: 'GET',
    path: 'assets/(?P<id>[\\d]+)',
    summary: 'Show the results of the services for a page',
    access: 'admin',
    unlisted: true,
    args: { id: { schema: z.int().describe('Identifier of a post or page.') } },
    answers: answers.assets,
    query: showAssets,
  },
];

export const reportRoutes: readonly PluginRoute[] = [...administration, ...reports, ...views];

export const conversationRoutes: readonly PluginRoute[] = [
  {
    path: 'ip_validate',
    summary: 'Prove the identity of the site',
    args: { hash: uncheckedArg(z.string()) },
    answers: answers.validated,
    handle: validateIp,
  },
  {
    path: 'cms_rest_echo',
    summary: 'Answer a signed timestamp with another',
    args: { cmsapi_ts: uncheckedArg(z.int()), cmsapi_signature_b64: uncheckedArg(z.string()) },
    answers: answers.echoed,
    handle: echo,
  },
  {
    path: 'ping',
    summary: 'Show versions, capabilities and the number of waiting pages',
    args: pingArgs,
    answers: answers.pinged,
    handle: ping,
  },
  {
    path: 'cdn_status',
    summary: 'Receive the status of the site at the cache cloud',
    args: { cloud_activated: uncheckedArg(z.enum([...cloudStatuses, 'deleted'])) },
    answers: answers.statusTaken,
    handle: cdnStatus,
  },
  {
    path: 'err_domains',
    summary: 'Check whether an address is an alias of the site',
    args: { main_domain: uncheckedArg(z.string()), alias: uncheckedArg(z.url()) },
    answers: answers.aliasTaken,
    handle: errDomains,
  },
].map((row) => callback({ ...row, service: row.path }));

/** An unsigned whole number, also in digits. */
function digits(value: unknown): PluginFault | null {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  const isWhole = isScalar && /^\d{1,15}$/.test(String(value));
  return isWhole ? null : { code: 'rest_invalid_type', message: 'crawler_id must be digits.' };
}

function toggle({ model, params }: PluginCall<PluginSession>) {
  const id = params['crawler_id'];
  if (id === undefined || id === null) return reply(null);
  const events = toggleCrawler(model.document(cacheCrawler), Number(id));
  model.stage(cacheCrawler, events);
  return reply(events[0].data.active ? 1 : 0);
}

function publicAddress({ model, settings }: PluginCall<PluginReader>): string {
  const { hostname } = new URL(model.site().url);
  const { publicIp } = settings(cacheSettings);
  return publicIp ?? (isIPv4(hostname) ? hostname : 'The public address of this server is not known.');
}

function cdnStatus({ model, params }: PluginCall<PluginSession>) {
  const sent = callbackText(params, 'cloud_activated');
  const status = sent === 'deleted' ? null : cloudStatuses.find((one) => one === sent);
  if (status === undefined) return failing('lack_of_params');
  model.stage(cacheCloud, setStatus(model.document(cacheCloud), status));
  return done({ cloud_activated: status });
}

function errDomains({ model, params }: PluginCall<PluginSession>) {
  const [domain, alias] = [callbackText(params, 'main_domain'), callbackText(params, 'alias')];
  if (domain === '' || alias === '') return failing('lack_of_param');
  const facts = { at: model.at, current: model.site().url };
  const events = confirmAlias(model.document(cacheCloud), alias, facts);
  if (events === null) return failing('not_an_alias');
  model.stage(cacheCloud, events);
  return done();
}

function validateIp({ params, settings }: PluginCall<PluginSession>) {
  const { siteKey } = settings(cacheSettings);
  const hash = callbackText(params, 'hash');
  if (hash === '') return failing('lack_of_params');
  const isRight = siteKey !== '' && isSame(hash, sha256(siteKey.slice(0, 4)));
  return isRight ? done({ hash: sha256(siteKey.slice(2, 6)) }) : failing('err_hash');
}

function echo({ params, secret, now }: PluginCall<PluginSession>) {
  const [time, signature] = [callbackText(params, 'cmsapi_ts'), callbackText(params, 'cmsapi_signature_b64')];
  if (time === '' || signature === '') return failing('no_echo_data');
  const signed = (text: string) =>
    createHmac('sha256', secret(cacheSecret) ?? '')
      .update(text)
      .digest('base64');
  if (!isSame(signature, signed(`echo:${time}`))) return failing('echo_invalid');
  const age = Math.abs(now / 1000 - (numberIn(time) ?? 0));
  return age > questionStands ? failing('echo_expired') : done({ signature_b64: signed(`reply:${time}`) });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => references[char] ?? char);
}

/** Status, notices and usage; texts from the cloud are escaped. */
function showCloud({ model, now, server }: PluginCall<PluginReader>) {
  const cloud = model.document(cacheCloud);
  const { status, cdn, notices, usage } = cloud;
  const shown = notices.map((notice) => ({ ...notice, text: escaped(notice.text) }));
  const { paused } = model.document(cacheCrawler);
  const pending = stillPending(cloud, new Date(now).toISOString());
  return { status, cdn, notices: shown, usage, pending, paused_crawlers: paused, crawlers: server.crawlers() };
}

function showAssets({ model, params }: PluginCall<PluginReader>) {
  return model.assets(Number(params['id']));
}
