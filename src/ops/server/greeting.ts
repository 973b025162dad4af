import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { addUser } from '#commands/users.ts';
import type { Config } from '#config.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Node } from '#node/node.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { version } from '../version.ts';
import { definePart } from './parts.ts';

/** Says where the server is and, at the first start, the first user's password. Ready from then on. */
export const greeting = definePart({
  name: 'greeting',
  needs: ['config', 'logger', 'readiness', 'node', 'listening', 'work'],
  async open({ config, logger, readiness, node }) {
    await greet(node, config);
    logger.info({ position: node.store.reader.position }, 'started');
    readiness.release('starting');
    return undefined;
  },
});

async function greet({ store, changedSettings }: Node, { host, port, dataDir }: Config): Promise<void> {
  const site = store.reader.site();
  const lines = [
    `Palimpsest ${version} listens on http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    `  site       ${site.url}/`,
    `  interface  ${interfaceUrl(site)}/`,
    `  docs       ${interfaceUrl(site)}/docs/`,
    `  audit      ${site.storeUrl}/cms-audit/`,
    `  data       ${resolve(dataDir)}`,
  ];
  if (store.reader.users().length === 0) {
    const context = { viewer: null, correlationId: 'start' };
    const { value } = await store.submit(context, (session) =>
      // Another node may have created it meanwhile.
      session.users().length === 0 ? addUser(session, { login: 'admin', role: 'administrator' }) : null,
    );
    if (isRefusal(value)) throw new Error(value.message);
    if (value !== null) {
      lines.push(
        `  first user ${value.username}`,
        `  password   ${value.password}   (application password; shown only now)`,
        '  next       log in at the audit pages with it, or follow “Five minutes” in the README',
      );
    }
  }
  for (const { name, was, is } of changedSettings) {
    lines.push(`  ${variables[name]}: was ${was || 'empty'}, is ${is || 'empty'}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

const variables: Readonly<Record<string, string>> = {
  url: 'SITE_URL',
  name: 'SITE_NAME',
  description: 'SITE_DESCRIPTION',
  timezone: 'SITE_TIMEZONE',
  templates: 'PAGE_TEMPLATES',
  menuLocations: 'MENU_LOCATIONS',
};
