import { publications } from '../audit/publications.ts';
import { setters } from '../audit/setters.ts';
import { trail } from '../audit/trail.ts';
import { comments } from '../comments/definition.ts';
import { entries } from '../entries/definition.ts';
import { revisions } from '../entries/revisions.ts';
import { tally } from '../entries/tally.ts';
import type { Projection } from '../kernel/projection.ts';
import { media } from '../media/definition.ts';
import { assetQueue } from '../plugins/asset-queue.ts';
import { queryBlocks } from '../plugins/query-blocks.ts';
import { plugins } from '../plugins/store.ts';
import { searchIndex } from '../search/store.ts';
import { addresses } from '../site/addresses.ts';
import { site } from '../site/definition.ts';
import { usedFormats } from '../site/formats.ts';
import { requests } from '../site/requests.ts';
import { terms } from '../terms/definition.ts';
import { users } from '../users/definition.ts';

/** Every projection, in the order in which they receive each event. */
export const all: readonly Projection[] = [
  site,
  users,
  // Before terms and media: it writes held rows before a loss that they have to reflect.
  entries,
  tally,
  usedFormats,
  revisions,
  terms,
  media,
  comments,
  addresses,
  requests,
  plugins,
  assetQueue,
  searchIndex,
  queryBlocks,
  trail,
  setters,
  publications,
];

export const immediate = all.filter((projection) => !projection.follows);
export const following = all.filter((projection) => projection.follows);
