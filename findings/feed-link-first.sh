#!/usr/bin/env bash
# Version: rss-parser 3.13.0, htmlparser2 10.1.0
# Guess: the link of an Atom entry is the one whose rel is "alternate" or absent, wherever it stands.
# Behaviour: both take the first link, here that of the replies.
# Output: below, "seen".
# Why it matters: RFC 4287 (4.2.7.2) makes "alternate" the default and gives the order no meaning. A feed that names replies or files first
# sends the readers of these programs there, so it has to name the page first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rss-parser@3.13.0 htmlparser2@10.1.0
cat >run.mjs <<'CODE'
import { parseFeed } from "htmlparser2";
import RssParser from "rss-parser";
const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:x:1</id><updated>2026-05-03T10:00:00Z</updated>
<entry><title>E</title><id>urn:x:2</id><updated>2026-05-03T10:00:00Z</updated>
<link rel="replies" href="https://site.example/one/feed/"/><link href="https://site.example/one/"/></entry></feed>`;
console.log("rss-parser", (await new RssParser().parseString(atom)).items[0].link);
console.log("htmlparser2", parseFeed(atom).items[0].link);
CODE
cat >expected <<'SEEN'
rss-parser https://site.example/one/feed/
htmlparser2 https://site.example/one/feed/
SEEN
node run.mjs | tee seen
diff expected seen
