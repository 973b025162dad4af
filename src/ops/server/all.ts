import { app, connections, crawler, health, listening, poster, readers } from './app.ts';
import { greeting } from './greeting.ts';
import { backups, journal, node, starting } from './node.ts';
import { metrics, metricsPort, telemetry } from './watching.ts';
import { control, work } from './work.ts';

/** All parts of a server, in the order in which they open. */
export const serverParts = [
  metrics,
  telemetry,
  starting,
  node,
  backups,
  journal,
  connections,
  crawler,
  poster,
  health,
  metricsPort,
  readers,
  app,
  listening,
  control,
  work,
  greeting,
];
