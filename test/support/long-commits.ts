import type { Session } from '#commands/session.ts';
import { termStream } from '#domain/term/state.ts';
import { terms } from '#projections/terms/definition.ts';
import type { Site } from './site.ts';

/** A change of many terms, of which the feed tells in some 100 kB, so that few commits fill what the operating system buffers. */
export function longCommits(site: Site): (session: Session) => void {
  const first = site.node.store.reader.of(terms).highestId() + 1;
  let type: 'TermCreated' | 'TermChanged' = 'TermCreated';
  return (session) => {
    for (let id = first; id < first + 100; id += 1) {
      const slug = `${id}-${'x'.repeat(1000)}`;
      const data = { id, taxonomy: 'post_tag', name: `Long ${id}`, slug, description: '', parent: 0 };
      session.stage(termStream(id), [{ type, data }]);
    }
    type = 'TermChanged';
  };
}
