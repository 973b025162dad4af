import type { Config } from '#config.ts';
import { viewMaker } from '#http/tables/entries/reads.ts';
import { type Node, type OpenOptions, openNode as open } from '#node/node.ts';

const answers = { viewMaker, rebuildScript: new URL('./rebuild-script.ts', import.meta.url) };

/** Opens a data directory, with the interface's answers kept ready. Throws as `openNode` of the node does. */
export function openNode(config: Config, options: Omit<OpenOptions, 'answers'> = {}): Promise<Node> {
  return open(config, { ...options, answers });
}
