import type { Seen } from './decoder.ts';

/** Dimensions of an image whose format is not decoded here, from its first bytes; null if they are invalid. */
export function dimensionsIn(type: string, head: Buffer): Seen | null {
  const found = type === 'image/bmp' ? inBitmap(head) : type === 'image/x-icon' ? inIcon(head) : null;
  if (found === null || found.width < 1 || found.height < 1) return null;
  return { ...found, orientation: 0, animated: false };
}

function inBitmap(head: Buffer) {
  if (head.length < 26 || head.readUInt32LE(14) < 40) return null;
  // A negative height means that rows are stored top-down.
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

function inIcon(head: Buffer) {
  if (head.length < 22) return null;
  const count = Math.min(head.readUInt16LE(4), Math.floor((head.length - 6) / 16));
  const pictures = Array.from({ length: count }, (_, i) => ({
    // One byte each; 0 means 256.
    width: head[6 + 16 * i] || 256,
    height: head[7 + 16 * i] || 256,
  }));
  return pictures.sort((a, b) => b.width * b.height - a.width * a.height)[0] ?? null;
}
