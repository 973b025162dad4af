import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { cacheAssets } from '#domain/plugins/cache-assets/area.ts';
import { cacheCloud, stillPending } from '#domain/plugins/cache-cloud/area.ts';
import { confirmAlias, setStatus } from '#domain/plugins/cache-cloud/decide.ts';
import { cloudStatuses } from '#domain/plugins/cache-cloud/events.ts';
import { cacheCrawler, toggleCrawler } from '#domain/plugins/cache-crawler/area.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import { escapedHtml } from '#site/markup/html.ts';
import { numberOf } from '#text/shapes.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { digits, told } from '../kit/checks.ts';
import { err, fresh, ok, rawAnswer } from '../kit/envelopes.ts';
import type { Namespace, PluginParts } from '../kit/namespace.ts';
import { type NamespaceRow, tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { callback, callbackText } from './callback.ts';
import { checkImg } from './check-image.ts';
import { notifyAssets } from './notify-assets.ts';
import { notifyImg } from './notify-images.ts';
import { ping, pingArgs } from './ping.ts';
import { createGuard } from './signature.ts';

/** Seconds for which a challenge is answered. */
const questionStands = 86_400;

const v1 = 'cache/v1';
const v3 = 'cache/v3';

export const cacheV1: Namespace = {
  name: v1,
  routes: (parts) => tableOf(v1, [...administration(parts), ...reports(parts)]),
  additions: (parts) => tableOf(v1, views(parts)),
};

export const cacheV3: Namespace = { name: v3, routes: (parts) => tableOf(v3, conversation(parts)) };

const crawlerId = z.union([z.int().min(0), z.string().regex(/^\d{1,15}$/)]);

function administration({ settings }: PluginParts): readonly NamespaceRow[] {
  return [
    {
      method: 'POST',
      path: 'toggle_crawler_state',
      summary: 'Pause or resume a crawler',
      access: 'admin',
      args: { crawler_id: { schema: z.unknown(), sent: crawlerId, check: digits('crawler_id'), hidden: true } },
      answers: answers.toggled,
      command: toggle,
    },
    {
      method: 'GET',
      path: 'tool/check_ip',
      summary: "Show the server's public address",
      access: 'admin',
      answers: answers.cacheAddress,
      query: ({ model }) => fresh(publicAddress(model, settings)),
    },
  ];
}

function reports(parts: PluginParts): readonly NamespaceRow[] {
  const guard = createGuard(parts);
  const assets = (kind: 'ccss' | 'ucss' | 'vpi', what: string) =>
    callback(guard, {
      path: `notify_${kind}`,
      summary: `Receive ${what} of pages`,
      service: 'page_assets',
      args: { data: told(z.array(z.object({ request_url: z.string(), queue_k: z.string() }).loose())) },
      answers: answers.notifiedAssets,
      handle: (call) => notifyAssets(call, kind),
    });
  return [
    callback(guard, {
      path: 'notify_img',
      summary: 'Receive the results of an image optimiser',
      service: 'img_optm',
      args: { data: told(z.object({})), server: told(z.string()), status: told(z.int()) },
      answers: answers.notifiedImages,
      handle: (call) => notifyImg(call, parts.settings.optimiserHosts),
    }),
    assets('ccss', 'critical styles'),
    assets('ucss', 'used styles'),
    assets('vpi', 'the first visible images'),
    callback(guard, {
      path: 'check_img',
      summary: 'Show the progress of image optimisation',
      service: 'img_optm',
      args: { data: told(z.int().describe('Identifier of a media item.')) },
      answers: answers.checkedImage,
      handle: checkImg,
    }),
  ];
}

function conversation(parts: PluginParts): readonly NamespaceRow[] {
  const guard = createGuard(parts);
  return [
    {
      path: 'ip_validate',
      summary: 'Prove the identity of the site',
      args: { hash: told(z.string()) },
      answers: answers.validated,
      handle: (call: Call<Session>) => validateIp(call, parts.settings),
    },
    {
      path: 'cms_rest_echo',
      summary: 'Answer a signed timestamp with another',
      args: { cmsapi_ts: told(z.int()), cmsapi_signature_b64: told(z.string()) },
      answers: answers.echoed,
      handle: (call: Call<Session>) => echo(call, parts),
    },
    {
      path: 'ping',
      summary: 'Show versions, capabilities and the number of waiting pages',
      args: pingArgs,
      answers: answers.pinged,
      handle: (call: Call<Session>) => ping(call, parts),
    },
    {
      path: 'cdn_status',
      summary: 'Receive the status of the site at the cache cloud',
      args: { cloud_activated: told(z.enum([...cloudStatuses, 'deleted'])) },
      answers: answers.statusTaken,
      handle: cdnStatus,
    },
    {
      path: 'err_domains',
      summary: 'Check whether an address is an alias of the site',
      args: { main_domain: told(z.string()), alias: told(z.url()) },
      answers: answers.aliasTaken,
      handle: errDomains,
    },
  ].map((row) => callback(guard, { ...row, service: row.path }));
}

function views(parts: PluginParts): readonly NamespaceRow[] {
  return [
    {
      method: 'GET',
      path: 'cloud',
      summary: 'Show the reports of the cache cloud',
      access: 'admin',
      answers: answers.cloud,
      query: (call) => showCloud(call, parts),
    },
    {
      method: 'GET',
      path: 'assets/(?P<id>[\\d]+)',
      summary: 'Show the results of the services for a page',
      access: 'admin',
      args: { id: { schema: z.int().describe('Identifier of a post or page.') } },
      answers: answers.assets,
      query: showAssets,
    },
  ];
}

function toggle({ model: session, params }: Call<Session>): Answer {
  const id = params['crawler_id'];
  if (id === undefined || id === null) return rawAnswer(null);
  const events = toggleCrawler(session.plugin(cacheCrawler), Number(id));
  stageIn(session, cacheCrawler, events);
  return rawAnswer(events[0].data.active ? 1 : 0);
}

function publicAddress(model: Model, { publicIp }: PluginSettings): string {
  const { hostname } = new URL(model.site().url);
  return publicIp ?? (isIPv4(hostname) ? hostname : 'The public address of this server is not known.');
}

function cdnStatus({ model: session, params }: Call<Session>): Answer {
  const sent = callbackText(params, 'cloud_activated');
  const status = sent === 'deleted' ? null : cloudStatuses.find((one) => one === sent);
  if (status === undefined) return err('lack_of_params');
  stageIn(session, cacheCloud, setStatus(session.plugin(cacheCloud), status));
  return ok({ cloud_activated: status });
}

function errDomains({ model: session, params }: Call<Session>): Answer {
  const [domain, alias] = [callbackText(params, 'main_domain'), callbackText(params, 'alias')];
  if (domain === '' || alias === '') return err('lack_of_param');
  const facts = { at: session.at, current: session.site().url };
  const events = confirmAlias(session.plugin(cacheCloud), alias, facts);
  if (events === null) return err('not_an_alias');
  stageIn(session, cacheCloud, events);
  return ok();
}

function validateIp({ params }: Call<Session>, { siteKey }: PluginParts['settings']): Answer {
  const hash = callbackText(params, 'hash');
  if (hash === '') return err('lack_of_params');
  const isRight = siteKey !== '' && isSame(hash, sha256(siteKey.slice(0, 4)));
  return isRight ? ok({ hash: sha256(siteKey.slice(2, 6)) }) : err('err_hash');
}

function echo({ params }: Call<Session>, { settings, clock }: PluginParts): Answer {
  const [time, signature] = [callbackText(params, 'cmsapi_ts'), callbackText(params, 'cmsapi_signature_b64')];
  if (time === '' || signature === '') return err('no_echo_data');
  const signed = (text: string) =>
    createHmac('sha256', settings.cacheSecret ?? '')
      .update(text)
      .digest('base64');
  if (!isSame(signature, signed(`echo:${time}`))) return err('echo_invalid');
  const age = Math.abs(clock() / 1000 - (numberOf(time) ?? 0));
  return age > questionStands ? err('echo_expired') : ok({ signature_b64: signed(`reply:${time}`) });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Status, notices and usage; texts from the cloud are escaped. */
function showCloud({ model }: Call<Model>, { clock, crawlers }: PluginParts): Answer {
  const cloud = model.plugin(cacheCloud);
  const { status, cdn, notices, usage } = cloud;
  const shown = notices.map((notice) => ({ ...notice, text: escapedHtml(notice.text) }));
  const { paused } = model.plugin(cacheCrawler);
  const pending = stillPending(cloud, new Date(clock()).toISOString());
  return fresh({ status, cdn, notices: shown, usage, pending, paused_crawlers: paused, crawlers: crawlers() });
}

function showAssets({ model, params }: Call<Model>): Answer {
  return fresh(model.plugin(cacheAssets, String(params['id'])));
}
