import { createHash } from 'node:crypto';
import type { ItemRecord } from '#wxr/records.ts';

/** A picture that stands in a text itself. */
export interface InlinePicture {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly name: string;
  readonly bytes: Buffer;
}

const DATA = /data:image\/(png|jpe?g|gif|webp|avif);base64,([A-Za-z0-9+/=\s]{64,})/g;
const ENDINGS: Readonly<Record<string, string>> = { jpeg: 'jpg' };

/** Key of a picture among what was imported. */
export function pictureKey({ hash }: Pick<InlinePicture, 'hash'>): string {
  return `picture ${hash}`;
}

/**
 * A record whose texts lead to files where they had pictures in themselves. `addressOf`: stores a picture and returns its address; null: it
 * stays where it is.
 */
export async function withoutInlinePictures(
  record: ItemRecord,
  addressOf: (picture: InlinePicture) => Promise<string | null>,
): Promise<ItemRecord> {
  if (!record.content.includes('data:image/')) return record;
  const found = new Map<string, string>();
  for (const [whole, form = '', base64 = ''] of record.content.matchAll(DATA)) {
    if (found.has(whole)) continue;
    const bytes = Buffer.from(base64, 'base64');
    const hash = createHash('sha256').update(bytes).digest('hex');
    const name = `picture-${hash.slice(0, 12)}.${ENDINGS[form] ?? form}`;
    const address = bytes.length === 0 ? null : await addressOf({ hash, name, bytes });
    if (address !== null) found.set(whole, address);
  }
  const content = record.content.replace(DATA, (whole) => found.get(whole) ?? whole);
  return { ...record, content };
}
