#!/usr/bin/env bash
# Version: htmlparser2 12.0.0, @extractus/feed-extractor 8.0.3
# Guess: the publication date of an Atom entry that has "published" and "updated" is "published".
# Behaviour: both give the date of "updated" as that of publication, and "published" is nowhere.
# Output: below, "seen".
# Why it matters: RFC 4287 (4.2.9, 4.2.15) tells the two apart. Programs that sort by date, or that take an entry with a newer date for a new
# one, show each corrected entry again. A site cannot mend it: an "updated" that ignores corrections would be wrong for all others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent htmlparser2@12.0.0 @extractus/feed-extractor@8.0.3
cat >run.mjs <<'CODE'
import { extractFromXml } from "@extractus/feed-extractor";
import { parseFeed } from "htmlparser2";
const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:x:1</id><updated>2026-05-04T10:00:00Z</updated>
<entry><title>E</title><id>urn:x:2</id><link href="https://site.example/one/"/>
<published>2026-05-03T10:00:00Z</published><updated>2026-05-04T10:00:00Z</updated></entry></feed>`;
console.log("htmlparser2", parseFeed(atom).items[0].pubDate.toISOString());
console.log("feed-extractor", extractFromXml(atom).entries[0].published);
CODE
cat >expected <<'SEEN'
htmlparser2 2026-05-04T10:00:00.000Z
feed-extractor 2026-05-04T10:00:00.000Z
SEEN
node run.mjs | tee seen
diff expected seen
