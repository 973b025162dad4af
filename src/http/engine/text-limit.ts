import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { isRecord } from '#text/shapes.ts';
import type { Input } from './input.ts';

/**
 * Refuses a write with a text of more than `limit` bytes; null otherwise. The requests of a batch are looked at one by one, when each is
 * checked.
 */
export function textFault({ method, path, sources }: Input, limit = Number.POSITIVE_INFINITY): Refusal | null {
  if (method === 'GET' || method === 'HEAD') return null;
  for (const source of sources) {
    for (const name in source) {
      const found = isNoText(name, path) ? null : longIn(source[name], { name, limit });
      if (found !== null) return found;
    }
  }
  return null;
}

/** The requests of a batch; parameters such as `_fields`, of which nothing is stored. */
function isNoText(name: string, path: string): boolean {
  return name.startsWith('_') || (name === 'requests' && path === '/batch/v1');
}

interface Looked {
  readonly name: string;
  readonly limit: number;
}

function longIn(value: unknown, { name, limit }: Looked): Refusal | null {
  if (typeof value === 'string') {
    // A character has at most three bytes.
    if (value.length * 3 <= limit) return null;
    const bytes = Buffer.byteLength(value);
    return bytes > limit ? tooLong(name, { bytes, limit }) : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const members = isRecord(value) ? Object.entries(value) : Object.entries(value as readonly unknown[]);
  for (const [key, member] of members) {
    const found = longIn(key, { name, limit }) ?? longIn(member, { name: `${name}.${key}`, limit });
    if (found !== null) return found;
  }
  return null;
}

function tooLong(field: string, { bytes, limit }: { readonly bytes: number; readonly limit: number }): Refusal {
  const message = `The text in ${field} has ${bytes} bytes; at most ${limit} are allowed.`;
  return refuse('rest_text_too_long', message, { field, bytes, limit });
}
