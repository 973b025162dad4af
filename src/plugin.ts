/** The public entry `palimpsest/plugin`: everything that a plugin may rely on. `apiVersion` changes with every incompatible change. */

export { z } from 'zod';
export { limited } from '#domain/kernel/limits.ts';
export { invalidParam, isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
export type { DomainEvent, EventDefinition, EventOf } from './domain/kernel/event.ts';
export { ofItem, ofTheSite, ofUser, type Subject, type Subjects } from './domain/kernel/subject.ts';
export type { Dimensions } from './domain/media/sizes.ts';
export {
  type AssetKind,
  type AssetVariant,
  assetKinds,
  assetVariants,
} from './domain/page-assets/slots.ts';
export { type Area, defineArea, type Folding, onlyKey } from './domain/plugins/area.ts';
export { formatByPattern } from './domain/time/pattern.ts';
export { apiVersion, type Plugin, type PluginNamespace } from './plugin/contract.ts';
export { definePlugin, definePluginEvent as defineEvent } from './plugin/define.ts';
export type * from './plugin/hidden-pages.ts';
export type * from './plugin/jobs.ts';
export type * from './plugin/pages.ts';
export type * from './plugin/reactions.ts';
export type * from './plugin/reader.ts';
export { type PluginReply, type ReplyOptions, reply } from './plugin/reply.ts';
export type * from './plugin/routes.ts';
export { type CrawlerState, crawlers, type PluginRequest, type PluginServer } from './plugin/server.ts';
export type * from './plugin/view.ts';
export { asHtml, type Content as HtmlContent, html, plain } from './text/html.ts';
export { parseQuery } from './text/query-string.ts';
export { slugify } from './text/slug.ts';
export { cleanIcon } from './text/svg.ts';
