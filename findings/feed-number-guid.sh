#!/usr/bin/env bash
# Version: @extractus/feed-extractor 8.0.3
# Guess: the guid of an RSS item and its title are texts.
# Behaviour: what looks like a number becomes one: the guid "007" is "7", the title "2.50" is "2.5".
# Output: below, "seen".
# Why it matters: a guid is "a string that uniquely identifies the item" (RSS 2.0). Two items can get one identifier, and a reader that
# compares it with that of another program takes known items for new ones.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @extractus/feed-extractor@8.0.3
cat >run.mjs <<'CODE'
import { extractFromXml } from "@extractus/feed-extractor";
const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>C</title><link>https://site.example/</link><description>d</description>
<item><title>First</title><guid isPermaLink="false">007</guid></item>
<item><title>2.50</title><guid isPermaLink="false">7</guid></item></channel></rss>`;
for (const { id, title } of extractFromXml(rss).entries) console.log(JSON.stringify({ id, title }));
CODE
cat >expected <<'SEEN'
{"id":"7","title":"First"}
{"id":"7","title":"2.5"}
SEEN
node run.mjs | tee seen
diff expected seen
