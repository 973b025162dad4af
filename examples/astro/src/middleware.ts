import { defineMiddleware } from 'astro:middleware';
import { CmsError } from '../../../packages/client/src/index.ts';

const busy =
  '<!doctype html><html lang="en"><title>Not now</title><h1>Not now</h1><p>The store does not answer: try again soon.</p>';

export const onRequest = defineMiddleware(async ({ url, locals }, next) => {
  locals.preview = url.searchParams.get('preview');
  const response = await next().catch((error: unknown) => {
    if (!(error instanceof CmsError)) throw error;
    console.error(error.code, error.message);
    return new Response(busy, {
      status: 503,
      headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Retry-After': '10' },
    });
  });
  // The token of a preview is in the address: nobody keeps such a page, and no other site learns its address.
  response.headers.set('Referrer-Policy', locals.preview === null ? 'strict-origin-when-cross-origin' : 'no-referrer');
  if (locals.preview !== null) response.headers.set('Cache-Control', 'no-store');
  return response;
});
