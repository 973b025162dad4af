#!/usr/bin/env bash
# Version: eventsource 4.1.1, eventsource-client 1.2.0, launchdarkly-eventsource 2.2.0
# Guess: clients of event streams treat a 503 of a server that restarts alike.
# Behaviour: the first one ends the subscription for good, as the HTML standard says; the two others connect again.
# Output: below, "seen": how often each client has connected, and whether it is still subscribed.
# Why it matters: a server that is tried with one of the two looks right, and silently loses every browser at its first restart. It must not
# answer a subscription with 503 at all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent eventsource@4.1.1 eventsource-client@1.2.0 launchdarkly-eventsource@2.2.0
cat >run.mjs <<'CODE'
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { EventSource } from "eventsource";
import { createEventSource } from "eventsource-client";
import launchdarkly from "launchdarkly-eventsource";
const clients = {
  eventsource: (url) => new EventSource(url),
  "eventsource-client": (url) => createEventSource({ url }),
  "launchdarkly-eventsource": (url) => new launchdarkly.EventSource(url),
};
for (const [name, connect] of Object.entries(clients)) {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    if (count === 2) return response.writeHead(503).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (count === 1) response.end("retry: 50\ndata: one\n\n");
    else response.write("data: two\n\n");
  });
  await new Promise((open) => server.listen(0, "127.0.0.1", open));
  const client = connect(`http://127.0.0.1:${server.address().port}/`);
  client.onerror = () => undefined;
  await wait(3000);
  console.log(name, count, count > 2 ? "subscribed" : "ended");
  client.close();
  server.closeAllConnections();
  server.close();
}
process.exit();
CODE
cat >expected <<'SEEN'
eventsource 2 ended
eventsource-client 3 subscribed
launchdarkly-eventsource 3 subscribed
SEEN
node run.mjs | tee seen
diff expected seen
