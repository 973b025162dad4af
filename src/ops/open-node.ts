import type { Config } from '#config.ts';
import { viewMaker } from '#http/tables/entries/reads.ts';
import { assembleNode, type Node, type OpenOptions } from '#node/node.ts';

const answers = { viewMaker, rebuildScript: new URL('./rebuild-script.ts', import.meta.url) };

/** Opens a data directory, with the interface's answers kept ready. Throws as `assembleNode` does. */
export function openNode(config: Config, options: Omit<OpenOptions, 'answers'> = {}): Promise<Node> {
  return assembleNode(config, { ...options, answers });
}
