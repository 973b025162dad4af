#!/usr/bin/env bash
# Version: express 5.3.0 with compression 1.8.2, fastify 5.12.8 with @fastify/etag 6.2.0 and @fastify/compress 9.2.0
# Guess: middleware that compresses gives the result a tag of its own, or a weak one.
# Behaviour: in both frameworks the same strong tag names the plain, the gzip and the Brotli bytes, and a 304 does not say Vary.
# Output: below, "seen".
# Why it matters: RFC 9110 (8.8.1): a strong tag changes with the bytes. A client that joins ranges by If-Range, or a cache that stores by tag,
# mixes encodings. Whoever puts the two together has to make the tags differ.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent express@5.3.0 compression@1.8.2 fastify@5.12.8 @fastify/etag@6.2.0 @fastify/compress@9.2.0
cat >run.mjs <<'CODE'
import { get } from "node:http";
import fastifyCompress from "@fastify/compress";
import fastifyEtag from "@fastify/etag";
import compression from "compression";
import express from "express";
import fastify from "fastify";
const body = { text: "word ".repeat(1000) };
const one = express();
one.set("etag", "strong");
one.use(compression());
one.get("/", (_, response) => response.json(body));
const listening = one.listen(0, "127.0.0.1");
const two = fastify();
await two.register(fastifyEtag);
await two.register(fastifyCompress);
two.get("/", async () => body);
await two.listen({ port: 0, host: "127.0.0.1" });
const ask = (port, headers) =>
  new Promise((resolve) => get({ host: "127.0.0.1", port, headers }, (response) => resolve(response.resume())));
for (const [name, { port }] of [["express", listening.address()], ["fastify", two.server.address()]]) {
  const tags = new Set();
  const seen = [];
  for (const accepted of ["identity", "gzip", "br"]) {
    const { headers } = await ask(port, { "accept-encoding": accepted });
    seen.push(headers["content-encoding"] ?? "plain");
    tags.add(headers.etag);
    const { statusCode, headers: again } = await ask(port, { "accept-encoding": accepted, "if-none-match": headers.etag });
    seen.push(statusCode, again.vary ?? "no Vary");
  }
  console.log(name, seen.join(", "), "- tags:", tags.size, [...tags][0].startsWith("W/") ? "weak" : "strong");
}
process.exit();
CODE
cat >expected <<'SEEN'
express plain, 304, no Vary, gzip, 304, no Vary, br, 304, no Vary - tags: 1 strong
fastify plain, 304, no Vary, gzip, 304, no Vary, br, 304, no Vary - tags: 1 strong
SEEN
node run.mjs | tee seen
diff expected seen
