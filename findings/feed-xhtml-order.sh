#!/usr/bin/env bash
# Version: rss-parser 3.13.0
# Guess: an Atom entry whose content is XHTML keeps its words in their order.
# Behaviour: elements are moved behind the text beside them: "Hi <b>you</b> & me" becomes "Hi  & me<b>you</b>".
# Output: below, "seen".
# Why it matters: RFC 4287 (3.1.1.3) allows XHTML; a program that republishes such entries changes what people wrote. Feeds for this
# reader need contents of type "html".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rss-parser@3.13.0
cat >run.mjs <<'CODE'
import RssParser from "rss-parser";
const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:x:1</id><updated>2026-05-03T10:00:00Z</updated>
<entry><title>E</title><id>urn:x:2</id><updated>2026-05-03T10:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <b>you</b> &amp; me</p></div></content></entry></feed>`;
const { items } = await new RssParser().parseString(atom);
console.log(items[0].contentSnippet);
console.log(items[0].content.replace(/\s+/g, " "));
CODE
cat >expected <<'SEEN'
Hi  & meyou
<div type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi &amp; me<b>you</b></p></div></div>
SEEN
node run.mjs | tee seen
diff expected seen
