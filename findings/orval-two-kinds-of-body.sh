#!/usr/bin/env bash
# Version: orval 8.38.0 with its client "fetch", typescript 5.9.3
# Guess: an operation whose body may be a form with a file, or the bytes of the file, becomes a function that takes either.
# Behaviour: the function takes either, but passes it on as it is: an object for the form, without making a form of it. The compiler refuses
# the generated code. With the form alone, it makes a form, and the code compiles.
# Output: below, "seen": errors of the compiler in each of the two clients.
# Why it matters: uploads of this field are commonly described in both ways. Whoever checks only that a generator runs, and does not compile
# what it wrote, gives out a description from which no client can be built. The client "axios-functions" of the same program compiles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts orval@8.38.0 typescript@5.9.3
cat >describe.mjs <<'CODE'
import { writeFileSync } from "node:fs";
const file = { type: "string", contentMediaType: "application/octet-stream" };
const form = { "multipart/form-data": { schema: { type: "object", properties: { title: { type: "string" }, file } } } };
const described = (content) => ({
  openapi: "3.1.0",
  info: { title: "Files", version: "1" },
  paths: { "/files": { post: { operationId: "upload", requestBody: { content }, responses: { 201: { description: "Made." } } } } },
});
writeFileSync("one.json", JSON.stringify(described(form)));
writeFileSync("two.json", JSON.stringify(described({ ...form, "*/*": { schema: file } })));
CODE
node describe.mjs
for name in one two; do
  npx orval -i $name.json -o $name.ts --client fetch >/dev/null
  errors=$(npx tsc --strict --noEmit --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable $name.ts | grep -c "error TS" || true)
  echo "$name: $errors"
done | tee seen
printf 'one: 0\ntwo: 1\n' | diff - seen
