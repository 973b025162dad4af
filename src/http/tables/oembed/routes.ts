import { z } from 'zod';
import { decodeReferences } from '#blocks/references.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import type { Model } from '#projections/reading/model.ts';
import { isOwn } from '#site/addresses/place.ts';
import { type Item, itemByUrl } from '#site/items/item.ts';
import { xmlCharacters } from '#text/xml.ts';
import type { Answer, Args, Body, Call, Route } from '../../engine/types.ts';
import { statusOf } from '../../message/problem.ts';
import { describeItem } from './card.ts';
import { createForeign, type Foreign } from './foreign.ts';

const namespace = 'oembed/1.0';
const INVALID = refuse('oembed_invalid_url', 'Not Found');
const DENIED = refuse('rest_forbidden', 'Sorry, you are not allowed to make proxied oEmbed requests.');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

/** Descriptions of addresses: of this site for everyone, of other sites for users who may write (interface behaviour, section 23). */
export function oembedRoutes(outgoing: Outgoing, clock: () => number): readonly Route<Model, Session>[] {
  const foreign = createForeign(outgoing, clock);
  return [
    {
      namespace,
      pattern: `/${namespace}/embed`,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Describe an address of this site',
          args: embedArgs,
          permission: () => null,
          query: showEmbed,
        },
      ],
    },
    {
      namespace,
      pattern: `/${namespace}/proxy`,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Describe any address',
          args: proxyArgs,
          permission: ({ viewer }) => (may(viewer, 'oembed_proxy') ? null : DENIED),
          query: (call) => showAny(call, foreign),
          depends: null,
        },
      ],
    },
  ];
}

const url = z.string().meta({ format: 'uri' });

const embedArgs: Args<Model> = {
  url: { schema: url.describe('The URL of the resource for which to fetch oEmbed data.'), required: true },
  format: { schema: z.unknown().default('json') },
  maxwidth: { schema: z.unknown().default(600) },
};

const proxyArgs: Args<Model> = {
  url: embedArgs['url'] ?? { schema: url },
  format: { schema: z.enum(['json', 'xml']).default('json').describe('The oEmbed format to use.') },
  maxwidth: {
    schema: z.int().default(600).describe('The maximum width of the embed frame in pixels.'),
    unchecked: true,
  },
  maxheight: { schema: z.int().describe('The maximum height of the embed frame in pixels.'), unchecked: true },
  discover: {
    schema: z
      .boolean()
      .default(true)
      .describe('Whether to perform an oEmbed discovery request for unsanctioned providers.'),
  },
};

/** Only the format `xml` gives XML; errors are XML then, too. */
function showEmbed({ params, model, viewer }: Call<Model>): Answer | Refusal {
  const item = itemByUrl(String(params['url']), model);
  if (params['format'] !== 'xml') return item === undefined ? INVALID : json(describe(item, params, model));
  if (item !== undefined) return { body: xml(describe(item, params, model)) };
  const status = statusOf(INVALID, viewer);
  return { status, body: xml({ code: INVALID.code, message: INVALID.message, data: { status } }) };
}

async function showAny({ params, model }: Call<Model>, foreign: Foreign): Promise<Answer | Refusal> {
  const address = String(params['url']);
  if (isOwn(address, model)) {
    const item = itemByUrl(address, model);
    if (item === undefined) return INVALID;
    const maxHeight = wholeNumber(params['maxheight']);
    return inFormat(
      params['format'],
      describeItem(item, model, { maxWidth: wholeNumber(params['maxwidth']), maxHeight }),
    );
  }
  const wanted = URL.parse(address);
  if (wanted === null) return INVALID;
  const card = await foreign({
    url: wanted,
    maxWidth: Math.min(wholeNumber(params['maxwidth']), WIDEST) || DEFAULT_WIDTH,
    maxHeight: Math.min(wholeNumber(params['maxheight']), WIDEST),
    discover: params['discover'] === true,
    site: new URL(model.site().url).host,
  });
  return card === null ? INVALID : inFormat(params['format'], card);
}

function inFormat(format: unknown, card: Readonly<Record<string, unknown>>): Answer {
  return format === 'xml' ? { body: xml(card) } : json(card);
}

const DEFAULT_WIDTH = 600;
const WIDEST = 10_000;

function describe(item: Item, params: Call<Model>['params'], model: Model) {
  return describeItem(item, model, { maxWidth: wholeNumber(params['maxwidth']) });
}

function json(value: Readonly<Record<string, unknown>>): Answer {
  return { body: { kind: 'json', value } };
}

function xml(members: Readonly<Record<string, unknown>>): Body {
  // A title is HTML in JSON, and plain text in XML.
  const { title } = members;
  const shown = typeof title === 'string' ? { ...members, title: decodeReferences(title) } : members;
  return { kind: 'text', type: 'text/xml; charset=UTF-8', text: toXml(shown) };
}

/** The number at the beginning of a value, without sign and fraction; 0 if there is none. */
function wholeNumber(value: unknown): number {
  const digits = /^\s*[+-]?(\d{1,9})/.exec(String(value))?.[1];
  return Number(digits ?? 0);
}

/** A description as XML: one element per member, nested for nested members. */
export function toXml(members: Readonly<Record<string, unknown>>): string {
  return xmlCharacters(`<?xml version="1.0"?><oembed>${elements(members)}</oembed>`);
}

function elements(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `<${name}>${contentOf(value)}</${name}>`)
    .join('');
}

function contentOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return elements(value);
  return String(value).replace(/[&<>"'\r]/g, (char) => ESCAPES[char] ?? char);
}
