import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { cloudStatuses } from '#domain/plugins/cache-cloud/events.ts';
import { cacheCrawler, toggleCrawler } from '#domain/plugins/cache-crawler/area.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { digits, told } from '../kit/checks.ts';
import { fresh, rawAnswer } from '../kit/envelopes.ts';
import type { Namespace, PluginParts } from '../kit/namespace.ts';
import { type NamespaceRow, tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { callback } from './callback.ts';
import { checkImg } from './check-image.ts';
import { cdnStatus, errDomains } from './cloud.ts';
import { notifyAssets } from './notify-assets.ts';
import { notifyImg } from './notify-images.ts';
import { ping, pingArgs } from './ping.ts';
import { echo, validateIp } from './proofs.ts';
import { createGuard } from './signature.ts';
import { showAssets, showCloud } from './state.ts';

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
