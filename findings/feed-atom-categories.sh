#!/usr/bin/env bash
# Version: rss-parser 3.13.0
# Guess: the categories of an entry are in "categories", for RSS and Atom alike, as its documentation shows them.
# Behaviour: those of RSS are there; those of Atom are dropped, and so are the date of the last change and the subtitle of the feed.
# Output: below, "seen".
# Why it matters: a program that files entries by tag works with the RSS of a site and files nothing once somebody gives it the Atom feed of
# the same site, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rss-parser@3.13.0
cat >run.mjs <<'CODE'
import RssParser from "rss-parser";
const rss = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>T</title><link>https://site.example/</link><description>words</description>
<item><title>E</title><link>https://site.example/one/</link><category>Red</category></item></channel></rss>`;
const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><subtitle>words</subtitle><id>urn:x:1</id><updated>2026-05-04T10:00:00Z</updated>
<entry><title>E</title><id>urn:x:2</id><link href="https://site.example/one/"/><category term="red" label="Red"/>
<published>2026-05-03T10:00:00Z</published><updated>2026-05-04T10:00:00Z</updated></entry></feed>`;
for (const [name, feed] of [["RSS", rss], ["Atom", atom]]) {
  const { description, subtitle, items: [item] } = await new RssParser().parseString(feed);
  console.log(name, JSON.stringify(item.categories ?? null), item.updated ?? null, description ?? subtitle ?? null);
}
CODE
cat >expected <<'SEEN'
RSS ["Red"] null words
Atom null null null
SEEN
node run.mjs | tee seen
diff expected seen
