#!/usr/bin/env bash
# Version: php-serialize 5.1.3
# Guess: a value that is unserialised and serialised again is the same text, as it is with the functions of the language.
# Behaviour: an array whose keys are numbers comes back in ascending order, with keys that are texts; a float that is whole comes back as an
# integer. A list with the keys 0, 1, 2 … and an array with texts as keys come back as they were.
# Output: below, "seen": each value, and what becomes of it.
# Why it matters: meta of exported sites is serialised like this, and the order in such arrays is the order of menus, galleries and widgets.
# Whoever reads and writes it with this library has to compare the two texts, and to keep the first one where they differ.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts php-serialize@5.1.3
cat >again.mjs <<'JS'
import { serialize, unserialize } from 'php-serialize';

for (const text of [
  'a:2:{i:0;s:1:"a";i:1;s:1:"b";}',
  'a:2:{s:1:"x";i:1;s:1:"a";i:2;}',
  'a:2:{i:10;s:5:"first";i:2;s:6:"second";}',
  'd:5;',
]) {
  console.log(`${text} -> ${serialize(unserialize(text))}`);
}
JS
node again.mjs | tee seen
diff - seen <<'SEEN'
a:2:{i:0;s:1:"a";i:1;s:1:"b";} -> a:2:{i:0;s:1:"a";i:1;s:1:"b";}
a:2:{s:1:"x";i:1;s:1:"a";i:2;} -> a:2:{s:1:"x";i:1;s:1:"a";i:2;}
a:2:{i:10;s:5:"first";i:2;s:6:"second";} -> a:2:{s:1:"2";s:6:"second";s:2:"10";s:5:"first";}
d:5; -> i:5;
SEEN
