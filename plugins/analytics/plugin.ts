import { definePlugin } from 'palimpsest/plugin';
import { analytics } from './area.ts';
import { demoRequests } from './demo.ts';
import { countedEvents } from './page.ts';
import { routes } from './routes.ts';
import { analyticsSettings } from './settings.ts';
import { countStore } from './store.ts';

/** Counts events that clients report, and assigns variants of experiments to the site. */
export const plugin = definePlugin({
  name: 'host-analytics',
  listed: { slug: 'analytics', name: 'Analytics' },
  settings: analyticsSettings,
  areas: [analytics],
  namespaces: [{ name: 'host-analytics/v1', routes }],
  reactions: [countStore],
  pages: [countedEvents],
  demo: demoRequests,
});
