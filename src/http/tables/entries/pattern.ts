import { z } from 'zod';
import { partOf } from '#domain/entry/kinds.ts';
import { patternPart, syncStatuses } from '#domain/entry/pattern.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { isRecord } from '#text/shapes.ts';
import { everywhere } from '../../engine/property.ts';
import { noText } from './checks.ts';
import type { PartMeta } from './part-meta.ts';
import type { EntryField } from './showing.ts';

/** Whether a pattern is synced: written as a member of `meta`, shown beside it (interface behaviour, section 27). */

const name = 'wp_pattern_sync_status';
const written = syncStatuses.filter((status) => status !== '');

export const patternMeta: PartMeta = {
  properties: { [name]: z.enum(written).describe('Whether the pattern is synced; null: it is.') },
  refusal: (meta) => refusalOf(sentIn(meta)),
  read: (meta) => {
    const sent = sentIn(meta);
    if (sent === null) return { syncStatus: '' };
    const syncStatus = written.find((status) => status === sent);
    return syncStatus && { syncStatus };
  },
};

export const syncStatusField: EntryField = {
  name,
  context: everywhere,
  when: ({ part }) => part === patternPart,
  readonly: true,
  description: 'Whether the pattern is synced: empty, `unsynced` or `partial`.',
  schema: () => z.enum(syncStatuses),
  // In context embed it is empty, as in the reference system.
  json: (row, { showing }) => `"${showing.context === 'embed' ? '' : (partOf(patternPart, row)?.syncStatus ?? '')}"`,
};

function sentIn(meta: unknown): unknown {
  return isRecord(meta) ? meta[name] : undefined;
}

function refusalOf(sent: unknown): Refusal | null {
  if (sent === undefined || sent === null) return null;
  if (typeof sent !== 'string') return noText(`meta.${name}`);
  if (written.some((status) => status === sent)) return null;
  return { ...refuse('rest_not_in_enum', `meta.${name} is not one of ${written.join(' and ')}.`), about: 'input' };
}
