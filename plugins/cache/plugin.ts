import { definePlugin } from 'palimpsest/plugin';
import { cacheCloud } from './cloud/area.ts';
import { cacheCrawler } from './crawler.ts';
import { cacheImages } from './images/area.ts';
import { imagePuller } from './images/pull.ts';
import { expectAddress, forgetDeleted } from './reactions.ts';
import { conversationRoutes, reportRoutes } from './routes.ts';
import { cacheSecret, cacheSettings } from './settings.ts';

/** Connects the site with a service that delivers it, optimises its images and makes styles of its pages. */
export const plugin = definePlugin({
  name: 'cache',
  listed: { slug: 'cache', name: 'Cache', first: true },
  settings: cacheSettings,
  secrets: [cacheSecret],
  areas: [cacheCrawler, cacheCloud, cacheImages],
  namespaces: [
    { name: 'cache/v1', routes: reportRoutes },
    { name: 'cache/v3', routes: conversationRoutes },
  ],
  reactions: [forgetDeleted, expectAddress],
  jobs: [imagePuller],
  delivers: ({ document }) => document(cacheCloud).cdn,
  pausedCrawlers: ({ document }) => document(cacheCrawler).paused,
  fileForms: ({ document }, media) => document(cacheImages, String(media)).forms,
});
