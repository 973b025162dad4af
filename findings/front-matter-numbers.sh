#!/usr/bin/env bash
# Version: gray-matter 4.0.3, front-matter 4.0.2, yaml 2.9.1
# Guess: the front matter of a text says the same to every program that reads it.
# Behaviour: a number that begins with a zero is octal for the first two, and decimal for the third; a duration is a number of seconds for the
# first two, and a text for the third. All of them lose the zeros before a slug, and the end of a version.
# Output: below, "seen": what each reads of the same four lines.
# Why it matters: folders of texts move between programs that use one or the other. A postal code and the length of a recording become other
# values, and an address /007/ leads nowhere, unless whoever reads a text keeps what was written where the field is no number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts gray-matter@4.0.3 front-matter@4.0.2 yaml@2.9.1
cat >read.mjs <<'JS'
import frontMatter from 'front-matter';
import matter from 'gray-matter';
import { parse } from 'yaml';

const lines = 'slug: 007\npostcode: 0123\nlength: 12:30:45\nversion: 1.10\n';
const text = `---\n${lines}---\nText`;
console.log('gray-matter ', JSON.stringify(matter(text).data));
console.log('front-matter', JSON.stringify(frontMatter(text).attributes));
console.log('yaml        ', JSON.stringify(parse(lines)));
JS
node read.mjs | tee seen
diff - seen <<'SEEN'
gray-matter  {"slug":7,"postcode":83,"length":45045,"version":1.1}
front-matter {"slug":7,"postcode":83,"length":45045,"version":1.1}
yaml         {"slug":7,"postcode":123,"length":"12:30:45","version":1.1}
SEEN
