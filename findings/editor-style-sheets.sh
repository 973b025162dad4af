#!/usr/bin/env bash
# Version: @wordpress/edit-post 8.55.0, editor 15.0.0, format-library 5.55.0, block-editor 18.0.0, components 41.0.0, block-library 11.1.0
# Guess: packages of the block editor that ship build-style/style.css export it, as those do that its guides import.
# Behaviour: the parts (block-editor, components, block-library) export it. The whole editor (edit-post, editor, format-library) ships the same
# file at the same place and does not export it: Node and bundlers that follow "exports" refuse the import.
# Output: below, "seen": whether the package has the file, and what resolving its name answers.
# Why it matters: whoever puts the editor on a page of their own gets it without its look, or has to reach for the file by its path in
# node_modules, past the rules of the package.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >look.mjs <<'JS'
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
for (const name of process.argv.slice(2)) {
  const file = `@wordpress/${name}/build-style/style.css`;
  const has = existsSync(`node_modules/${file}`) ? 'has it' : 'has none';
  let answer = 'resolved';
  try {
    require.resolve(file);
  } catch (error) {
    answer = error.code;
  }
  console.log(`${name}: ${has}, ${answer}`);
}
JS
names=()
for package in edit-post@8.55.0 editor@15.0.0 format-library@5.55.0 block-editor@18.0.0 components@41.0.0 block-library@11.1.0; do
  name=${package%@*}
  names+=("$name")
  mkdir -p "node_modules/@wordpress/$name"
  archive=$(npm pack --silent "@wordpress/$package" | tail -1)
  tar -xzf "$archive" -C "node_modules/@wordpress/$name" --strip-components=1
done
node look.mjs "${names[@]}" | tee seen
diff - seen <<'SEEN'
edit-post: has it, ERR_PACKAGE_PATH_NOT_EXPORTED
editor: has it, ERR_PACKAGE_PATH_NOT_EXPORTED
format-library: has it, ERR_PACKAGE_PATH_NOT_EXPORTED
block-editor: has it, resolved
components: has it, resolved
block-library: has it, resolved
SEEN
