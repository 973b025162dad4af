#!/usr/bin/env bash
# Version: @wordpress/core-data 8.0.0, @wordpress/data 10.55.0, @wordpress/api-fetch 7.55.0, jsdom 26.1.0
# Guess: the data layer of the block editor hands on the records of a page as the server sends them, however many they are.
# Behaviour: if the only page has fewer records than were asked for while the header with the total counts more, the page counts as not loaded:
# the selector answers null, for good. The total itself is kept. With an equal total the same records are handed on.
# Output: below, "seen": for two records and a total of 2 or 3, the length of what the selector answers, and the total that it knows.
# Why it matters: servers of this family leave records out of a page that the account may not edit, and count them. A list for an author then
# stays empty, though the server has answered with what is theirs, and nothing says why.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts --legacy-peer-deps @wordpress/core-data@8.0.0 @wordpress/data@10.55.0 \
  @wordpress/api-fetch@7.55.0 react@18.3.1 react-dom@18.3.1 jsdom@26.1.0
cat >list.cjs <<'JS'
const { JSDOM, VirtualConsole } = require('jsdom');

const { window } = new JSDOM('<!doctype html><body></body>', {
  url: 'http://localhost/',
  pretendToBeVisual: true,
  virtualConsole: new VirtualConsole(),
});
window.matchMedia = () => ({ matches: false, addListener() {}, removeListener() {}, addEventListener() {}, removeEventListener() {} });
const names = 'document HTMLElement Node MutationObserver Element DOMParser Event CustomEvent getComputedStyle requestAnimationFrame File';
for (const name of names.split(' ')) Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
Object.defineProperty(globalThis, 'window', { value: window, configurable: true });

const { store } = require('@wordpress/core-data');
const { resolveSelect, select } = require('@wordpress/data');
const apiFetch = require('@wordpress/api-fetch').default;

const total = process.argv[2];
const type = { slug: 'post', name: 'Posts', labels: {}, rest_base: 'posts', rest_namespace: 'wp/v2', supports: {}, viewable: true };
const records = [2, 1].map((id) => ({ id, title: { rendered: `Post ${id}` } }));
apiFetch.setFetchHandler(async ({ path, parse = true }) => {
  const body = path.includes('/types') ? { post: type } : records;
  const answer = new Response(JSON.stringify(body), { headers: { 'X-WP-Total': total, 'X-WP-TotalPages': '1' } });
  return parse ? answer.json() : answer;
});

const query = { per_page: 10, context: 'view' };
resolveSelect(store)
  .getEntityRecords('postType', 'post', query)
  .then((got) => {
    const known = select(store).getEntityRecordsTotalItems('postType', 'post', query);
    console.log(`2 records, total ${total}: ${got === null ? 'null' : got.length}, total known ${known}`);
    process.exit(0);
  });
JS
{
  node list.cjs 2
  node list.cjs 3
} | tee seen
diff - seen <<'SEEN'
2 records, total 2: 2, total known 2
2 records, total 3: null, total known 3
SEEN
