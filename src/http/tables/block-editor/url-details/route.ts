import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import { isPublicAddress } from '#outgoing/address.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import { readTarget } from '#outgoing/target.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call, Fault, Route } from '../../../engine/types.ts';
import type { FindFile } from '../../../server/files.ts';
import { ownContent, ownPath } from './own-content.ts';
import { readDetails, type UrlDetails } from './read.ts';

const HOUR = 60 * 60 * 1000;

const MAX_KEPT = 500;

/** Pages describe themselves at their beginning. */
const maxBytes = 150 * 1024;

const PAGE = { accept: 'text/html, */*;q=0.5', maxBytes: maxBytes, cut: true } as const;

const namespace = 'cms-block-editor/v1';

export interface UrlDetailsParts {
  readonly outgoing: Outgoing;
  readonly clock: () => number;
  readonly files: FindFile;
}

const INVALID: Fault = { code: 'rest_invalid_param', message: 'Invalid parameter.', data: null, bare: true };
const refusals: Readonly<Record<Extract<Asked, string>, Refusal>> = {
  'not public': refuse('rest_invalid_param', 'Invalid parameter(s): url', {
    params: { url: INVALID.message },
    details: {},
  }),
  'no response': refuse('no_response', 'URL not found. Response returned a non-200 status code for this URL.'),
  'no content': refuse('no_content', 'Unable to retrieve body from response at this URL.'),
};

/** What editors show about a link (interface behaviour, section 42). */
export function urlDetailsRoute({ outgoing, clock, files }: UrlDetailsParts): Route<Model, Session> {
  const details = createDetails(outgoing, clock);
  const query = async ({ params, model }: Call<Model>): Promise<Answer | Refusal> => {
    const url = new URL(String(params['url']));
    const path = ownPath(url, model);
    const found = path === null ? await details(url) : await ownDetails(url, path, { model, files });
    return typeof found === 'string' ? refusals[found] : { body: { kind: 'json', value: found } };
  };
  return {
    namespace,
    pattern: `/${namespace}/url-details`,
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Show title, icon, description and image of an address',
        args: {
          url: {
            schema: z.string().meta({ format: 'uri', description: 'The URL to process.' }),
            required: true,
            check,
          },
        },
        permission: ({ viewer }) =>
          may(viewer, 'edit_posts')
            ? null
            : refuse('rest_cannot_view_url_details', 'Sorry, you are not allowed to process remote URLs.'),
        query,
        answers: z.object({ title: z.string(), icon: z.string(), description: z.string(), image: z.string() }),
        depends: null,
      },
    ],
  };
}

async function ownDetails(url: URL, path: string, from: { model: Model; files: FindFile }): Promise<Asked> {
  const { status, body } = await ownContent(path, { ...from, max: maxBytes });
  return status === 200 ? detailsIn(body, url) : 'no response';
}

function check(value: unknown, { model }: Call<Model>): Fault | null {
  return typeof value === 'string' && (isOwn(value, model) || isForeign(value)) ? null : INVALID;
}

function isOwn(address: string, model: Model): boolean {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  return ownPath(url, model) !== null;
}

function isForeign(address: string): boolean {
  const host = readTarget(address)?.hostname ?? '[';
  return !host.startsWith('[') && (isIP(host) === 0 || isPublicAddress(host));
}

type Asked = UrlDetails | 'not public' | 'no response' | 'no content';

/** Describes pages of other servers. A limited number of descriptions is cached in memory for an hour. */
function createDetails(outgoing: Outgoing, clock: () => number): (url: URL) => Promise<Asked> {
  const kept = new LRUCache<string, UrlDetails>({ max: MAX_KEPT, ttl: HOUR, ttlResolution: 0, perf: { now: clock } });
  const underWay = new Map<string, Promise<Asked>>();
  return async (url) => {
    const key = url.href;
    const known = kept.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const asked = ask(url, outgoing).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    const found = await asked;
    if (typeof found !== 'string') kept.set(key, found);
    return found;
  };
}

/** The details in a body, unless it is empty. */
function detailsIn(body: Buffer, page: URL): UrlDetails | 'no content' {
  return body.length === 0 ? 'no content' : readDetails(body.toString('utf8'), page);
}

async function ask(url: URL, outgoing: Outgoing): Promise<Asked> {
  const answer = await outgoing.get(url.href, PAGE);
  if (answer.ok) return answer.status === 200 ? detailsIn(answer.body, answer.url) : 'no response';
  return answer.why === 'not public' || answer.why === 'unknown host' ? 'not public' : 'no response';
}
