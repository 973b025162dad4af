#!/usr/bin/env bash
# Version: openapi-typescript 7.13.0, @hey-api/openapi-ts 0.99.0, swagger-typescript-api 13.13.0, oazapfts 7.5.0, typescript 5.9.3
# Guess: a schema whose type is object or array, as OpenAPI 3.1 allows in one list, becomes the same type in all generators: one whose members
# can be read once it is known to be no list.
# Behaviour: two generators do that. The third knows nothing of the list. The fourth leaves the value unchecked: it may be read as anything.
# Output: below, "seen": how the compiler lets the member be read: "at once", "unless it is a list", or "unchecked", as anything else.
# Why it matters: interfaces that grew on PHP send an empty list for an object without members, and the exact schema says so. Said of whole
# records, it takes the fields from the readers of some generators, without a warning. A description is better less exact there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts openapi-typescript@7.13.0 @hey-api/openapi-ts@0.99.0 \
  swagger-typescript-api@13.13.0 oazapfts@7.5.0 @oazapfts/runtime@1.2.0 typescript@5.9.3
cat >openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Records", "version": "1" },
  "paths": {
    "/record": {
      "get": {
        "operationId": "getRecord",
        "responses": { "200": { "description": "A record.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Entry" } } } } }
      }
    }
  },
  "components": {
    "schemas": { "Entry": { "type": ["object", "array"], "maxItems": 0, "properties": { "id": { "type": "integer" } }, "required": ["id"] } }
  }
}
JSON
npx openapi-typescript openapi.json -o plain.ts >/dev/null 2>&1
npx openapi-ts -i openapi.json -o hey >/dev/null 2>&1
npx swagger-typescript-api generate -p openapi.json -o . -n swagger.ts >/dev/null 2>&1
npx oazapfts openapi.json oazapfts.ts >/dev/null 2>&1
compile() {
  printf '%s\n' "$@" >use.ts
  npx tsc --strict --noEmit --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable use.ts >/dev/null
}
check() {
  if compile "$2" 'declare const entry: Entry; export const word: { never: "there" } = entry;'; then echo "$1: unchecked"
  elif compile "$2" 'declare const entry: Entry; export const id: number = entry.id;'; then echo "$1: at once"
  elif compile "$2" 'declare const entry: Exclude<Entry, readonly unknown[]>; export const id: number = entry.id;'; then echo "$1: unless it is a list"
  else echo "$1: lost"; fi
}
{
  check openapi-typescript 'import type { components } from "./plain"; type Entry = components["schemas"]["Entry"];'
  check hey-api 'import type { Entry } from "./hey/types.gen";'
  check swagger-typescript-api 'import type { Entry } from "./swagger";'
  check oazapfts 'import { getRecord } from "./oazapfts"; type Answer = Awaited<ReturnType<typeof getRecord>>; type Entry = Extract<Answer, { status: 200 }>["data"];'
} | tee seen
diff - seen <<'SEEN'
openapi-typescript: unless it is a list
hey-api: unless it is a list
swagger-typescript-api: at once
oazapfts: unchecked
SEEN
