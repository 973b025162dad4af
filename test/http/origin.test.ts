import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressReader } from '#http/server/origin.ts';

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('the client address of a request', () => {
  it('is the address of the connection without trusted proxies', () => {
    const addressOf = addressReader([]);
    expect(addressOf(from('203.0.113.7'))).toBe('203.0.113.7');
    expect(addressOf(from('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  });

  it('is the last untrusted address that trusted proxies report', () => {
    const addressOf = addressReader(['10.0.0.0/8', 'loopback']);
    expect(addressOf(from('127.0.0.1', '198.51.100.1'))).toBe('198.51.100.1');
    expect(addressOf(from('10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9'))).toBe('198.51.100.1');
    expect(addressOf(from('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  });

  it('is the proxy itself when that reports no address', () => {
    expect(addressReader(['loopback'])(from('127.0.0.1', '<script>'))).toBe('127.0.0.1');
  });

  it('is written as IPv4 when it is an IPv4-mapped IPv6 address', () => {
    expect(addressReader([])(from('::ffff:203.0.113.7'))).toBe('203.0.113.7');
    expect(addressReader([])(from('2001:db8::1'))).toBe('2001:db8::1');
  });
});
