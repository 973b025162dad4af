import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressReader } from '#http/server/origin.ts';
import { reporterOf } from '#process/reporter.ts';
import { openTestJournal } from './journal.ts';
import { callPlugin, startPluginSite } from './plugins.ts';
import type { As, SiteOptions } from './site.ts';

/** A site with a journal of origins, and helpers that create and enable tokens. */
export async function startTokenSite(options: Pick<SiteOptions, 'app'> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-tokens-'));
  const reporter = reporterOf({
    fault(error) {
      throw error;
    },
  });
  const journal = openTestJournal({ dataDir: directory, days: 10, clock: Date.now, reporter });
  const origins = { addressOf: addressReader([]), ...journal };
  const site = await startPluginSite('B', {}, { ...options, origins });
  return {
    site,
    /** `setup` allows tokens, `deny` refuses them. */
    toggle: (action: 'setup' | 'deny') =>
      callPlugin(site, 'administrator', 'POST /host-ai-assistant/v1/toggle-mcp-plugin', { action }),
    /** Creates a token. Returns the response. */
    make: async (as: As, body: unknown = { name: 'Desktop' }) =>
      (await callPlugin(site, as, 'POST /host-ai-assistant/v1/tokens', body)).body,
    async close() {
      await site.close();
      journal.close();
      rmSync(directory, { recursive: true });
    },
  };
}
