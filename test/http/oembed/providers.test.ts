import { describe, expect, it } from 'vitest';
import { providerOf } from '#http/tables/oembed/foreign.ts';

const endpointOf = (address: string) => providerOf(new URL(address))?.endpoint ?? null;

describe('the list of oEmbed providers', () => {
  it.each([
    ['https://www.youtube.com/watch?v=x', 'https://www.youtube.com/oembed'],
    ['http://m.youtube.com/watch?v=x&t=1', 'https://www.youtube.com/oembed'],
    ['https://youtube.com/watch?v=x', 'https://www.youtube.com/oembed'],
    ['https://YOUTU.be/x', 'https://www.youtube.com/oembed'],
    ['https://vimeo.com/12345', 'https://vimeo.com/api/oembed.json'],
    ['https://www.flickr.com/photos/a/1/', 'https://www.flickr.com/services/oembed/'],
  ])('includes %s', (address, endpoint) => {
    expect(endpointOf(address)).toBe(endpoint);
  });

  it.each([
    'https://www.youtube.com/about',
    'https://www.youtube.com.evil.example/watch?v=x',
    'https://evilyoutube.com/watch?v=x',
    'https://evil.example/www.youtube.com/watch?v=x',
    'https://evil.example/?https://www.youtube.com/watch?v=x',
    'https://blog.example/',
  ])('does not include %s', (address) => {
    expect(endpointOf(address)).toBeNull();
  });

  it('rejects long near matches without failing', () => {
    const endless = `https://www.flickr.com/${'photos/a/'.repeat(100_000)}`;
    expect(() => endpointOf(endless)).not.toThrow();
  });
});
