#!/usr/bin/env bash
# Version: @rowanmanning/feed-parser 2.1.5
# Guess: the content of an RSS item is what its CDATA section contains.
# Behaviour: character references in it are decoded once more: "5 &amp;lt; 6" in the markup becomes "5 &lt; 6", and "AT&amp;T" becomes "AT&T".
# Output: below, "seen".
# Why it matters: content:encoded is markup. Decoded once more it says something else wherever a text shows a reference, as every text on
# HTML does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @rowanmanning/feed-parser@2.1.5
cat >run.mjs <<'CODE'
import { parseFeed } from "@rowanmanning/feed-parser";
const content = "<p>5 &amp;lt; 6, AT&amp;T</p>";
const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>C</title>
<link>https://site.example/</link><description>d</description><item><title>E</title><guid isPermaLink="false">1</guid>
<content:encoded><![CDATA[${content}]]></content:encoded></item></channel></rss>`;
console.log("given", content);
console.log("found", parseFeed(rss).items[0].content);
CODE
cat >expected <<'SEEN'
given <p>5 &amp;lt; 6, AT&amp;T</p>
found <p>5 &lt; 6, AT&T</p>
SEEN
node run.mjs | tee seen
diff expected seen
