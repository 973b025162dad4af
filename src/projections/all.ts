import { addresses } from './addresses.ts';
import { trail } from './audit/trail.ts';
import { comments } from './comments/definition.ts';
import { entries } from './entries/definition.ts';
import { tally } from './entries/tally.ts';
import { usedFormats } from './formats.ts';
import { media } from './media/definition.ts';
import { names } from './names.ts';
import { assetQueue } from './plugins/asset-queue.ts';
import { queryBlocks } from './plugins/query-blocks.ts';
import { plugins } from './plugins/store.ts';
import type { Projection } from './projection.ts';
import { requests } from './requests.ts';
import { revisions } from './revisions.ts';
import { searchIndex } from './search-store.ts';
import { site } from './site.ts';
import { terms } from './terms.ts';
import { users } from './users.ts';

/** Every projection, in the order in which they receive each event. */
export const all: readonly Projection[] = [
  site,
  users,
  // Before terms and media: it writes held rows before a loss that they have to reflect.
  entries,
  tally,
  names,
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
];

export const immediate = all.filter((projection) => !projection.follows);
export const following = all.filter((projection) => projection.follows);
