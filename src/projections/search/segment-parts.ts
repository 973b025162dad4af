import { numbersIn, pack, unpack } from './bytes.ts';
import { sections } from './units.ts';

export interface SegmentParts {
  readonly ords: Uint32Array;
  /** Folded length of title, content and excerpt of each, at most 65,535. */
  readonly lengths: Uint16Array;
  readonly common: Uint32Array;
  readonly postings: Uint8Array;
  readonly sections: readonly SectionParts[];
}

export interface SectionParts {
  readonly units: Uint8Array;
  readonly starts: Uint32Array;
  /** Where in the postings those of each unit begin; one more for the end. */
  readonly offsets: Uint32Array;
}

const none = new Uint8Array(0);

export function packSegment({ ords, lengths, common, postings, sections: all }: SegmentParts): Uint8Array {
  const packed = all.flatMap(({ units, starts, offsets }) => [units, starts, offsets]);
  return pack([ords, lengths, common, postings, ...packed]);
}

/** What was packed, without copying it. */
export function unpackSegment(bytes: Uint8Array): SegmentParts {
  const [ords = none, lengths = none, common = none, postings = none, ...rest] = unpack(bytes);
  return {
    ords: numbersIn(ords),
    lengths: new Uint16Array(lengths.buffer, lengths.byteOffset, lengths.byteLength >>> 1),
    common: numbersIn(common),
    postings,
    sections: sections.map((_, i) => ({
      units: rest[i * 3] ?? none,
      starts: numbersIn(rest[i * 3 + 1] ?? none),
      offsets: numbersIn(rest[i * 3 + 2] ?? none),
    })),
  };
}
