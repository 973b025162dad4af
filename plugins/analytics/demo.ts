const actions = ['newsletter.subscribed', 'search.used', 'facsimile.downloaded', 'lens.opened'] as const;

/** What people did on the page of a post, as requests that count it. */
export function demoRequests(post: number, about: { readonly page: string; readonly place: string }) {
  return Array.from({ length: 1 + ((post * 5) % 4) }, (_, n) => ({
    path: 'host-analytics/v1/host-analytics-event',
    body: { params: { action: actions[(n + Math.floor(post / 6)) % actions.length], ...about } },
  }));
}
