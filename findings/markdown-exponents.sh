#!/usr/bin/env bash
# Version: turndown 7.2.5, node-html-markdown 2.0.0
# Guess: what Markdown has no sign for stays HTML, which Markdown allows, so that no meaning is lost.
# Behaviour: superscripts and subscripts lose their markup and join the text before them; films and frames vanish without a trace. Nothing says so.
# Output: below, "seen": each text, and what both make of it.
# Why it matters: these two write the Markdown of most programs that move sites. After a move a million is a hundred and six, and a video is not
# there. A writer has to read back what it wrote, and to leave HTML where that differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts turndown@7.2.5 node-html-markdown@2.0.0
cat >convert.mjs <<'JS'
import { NodeHtmlMarkdown } from 'node-html-markdown';
import TurndownService from 'turndown';

const turndown = new TurndownService();
for (const html of ['10<sup>6</sup> copies', 'H<sub>2</sub>O', '<video src="a.mp4"></video>', '<iframe src="https://a.example/"></iframe>']) {
  console.log(`${html} -> [${turndown.turndown(html)}] [${NodeHtmlMarkdown.translate(html)}]`);
}
JS
node convert.mjs | tee seen
diff - seen <<'SEEN'
10<sup>6</sup> copies -> [106 copies] [106 copies]
H<sub>2</sub>O -> [H2O] [H2O]
<video src="a.mp4"></video> -> [] []
<iframe src="https://a.example/"></iframe> -> [] []
SEEN
