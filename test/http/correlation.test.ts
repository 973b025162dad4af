import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { correlationOf } from '#http/server/journal.ts';
import { createSite } from './engine/support.ts';

const random = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

describe('the correlation id of a request', () => {
  it.each([
    [{ 'x-correlation-id': 'order-7' }, 'order-7'],
    [{ 'x-correlation-id': 'order-7', traceparent: `00-${trace}-${span}-01` }, 'order-7'],
    [{ traceparent: `00-${trace}-${span}-01` }, trace],
    [{ traceparent: `01-${trace}-${span}-00-more` }, trace],
    [{ 'x-correlation-id': 'a b', traceparent: `00-${trace}-${span}-01` }, trace],
  ])('is taken from its headers: %j', (headers, id) => {
    expect(correlationOf(headers, randomUUID)).toBe(id);
  });

  it.each([
    {},
    { 'x-correlation-id': '' },
    { 'x-correlation-id': 'x'.repeat(129) },
    { traceparent: `00-${'0'.repeat(32)}-${span}-01` },
    { traceparent: `00-${trace}-${'0'.repeat(16)}-01` },
    { traceparent: `ff-${trace}-${span}-01` },
    { traceparent: `00-${trace.toUpperCase()}-${span}-01` },
    { traceparent: 'nonsense' },
  ])('is random without a valid header: %j', (headers) => {
    expect(correlationOf(headers, randomUUID)).toMatch(random);
    expect(correlationOf(headers, randomUUID)).not.toBe(correlationOf(headers, randomUUID));
  });

  it.each(['/cms-json/notes/v1/notes', '/cms-json/nowhere', '/elsewhere', '/cms-json/%', '/cms-json/notes/v1/fails'])(
    'is in the headers of the answer to %s',
    async (url) => {
      const { app } = createSite();
      const { headers } = await app.inject({ url, headers: { 'x-correlation-id': 'order-7' } });
      expect(headers['x-correlation-id']).toBe('order-7');
    },
  );

  it('is in the body of an error only for a 500', async () => {
    const { app } = createSite();
    const dataOf = async (url: string) =>
      (await app.inject({ url, headers: { 'x-correlation-id': 'order-7' } })).json().data;
    expect(await dataOf('/cms-json/notes/v1/fails')).toEqual({ status: 500, correlation_id: 'order-7' });
    expect(await dataOf('/cms-json/nowhere')).toEqual({ status: 404 });
  });
});
