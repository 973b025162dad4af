import type { LoadRequest } from './types.ts';

const mark = '{n}';
const digits = 9;
const placeholder = '0'.repeat(digits);

interface Prepared {
  readonly bytes: Buffer;
  /** Offsets at which the number is inserted. */
  readonly places: readonly number[];
}

/** Encodes requests once. Returns a function that returns the i-th request with the next number inserted. */
export function prepare(requests: readonly LoadRequest[], firstNumber: number): (i: number) => Buffer {
  const prepared = requests.map(toPrepared);
  let number = firstNumber;
  return (i) => {
    const request = prepared[i];
    if (request === undefined) throw new RangeError(`no request ${i}`);
    if (request.places.length === 0) return request.bytes;
    // A copy, because the previous request may still be being sent.
    const bytes = Buffer.from(request.bytes);
    const text = String(number++).padStart(digits, '0');
    for (const place of request.places) bytes.write(text, place, 'latin1');
    return bytes;
  };
}

function toPrepared({ path, method = 'GET', body, headers = {} }: LoadRequest): Prepared {
  const length = Buffer.byteLength((body ?? '').replaceAll(mark, placeholder));
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${length}`);
  const text = `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
  // Located by the mark, because the placeholder itself may occur in a body.
  return { bytes: Buffer.from(text.replaceAll(mark, placeholder)), places: placesIn(text) };
}

function placesIn(text: string): number[] {
  let place = 0;
  return text
    .split(mark)
    .slice(0, -1)
    .map((part) => {
      place += Buffer.byteLength(part);
      const found = place;
      place += digits;
      return found;
    });
}
