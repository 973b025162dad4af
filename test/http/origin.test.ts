import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressReader } from '#http/origin.ts';

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('the address that a request came from', () => {
  it('is that of the connection, whatever the request says', () => {
    const addressOf = addressReader([]);
    expect(addressOf(from('203.0.113.7'))).toBe('203.0.113.7');
    expect(addressOf(from('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  });

  it('is what a trusted proxy says, and nothing that came before it', () => {
    const addressOf = addressReader(['10.0.0.0/8', 'loopback']);
    expect(addressOf(from('127.0.0.1', '198.51.100.1'))).toBe('198.51.100.1');
    expect(addressOf(from('10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9'))).toBe('198.51.100.1');
    expect(addressOf(from('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  });

  it('is the proxy itself where that says something else than an address', () => {
    expect(addressReader(['loopback'])(from('127.0.0.1', '<script>'))).toBe('127.0.0.1');
  });

  it('is written in the older form where it is of the older kind', () => {
    expect(addressReader([])(from('::ffff:203.0.113.7'))).toBe('203.0.113.7');
    expect(addressReader([])(from('2001:db8::1'))).toBe('2001:db8::1');
  });
});
