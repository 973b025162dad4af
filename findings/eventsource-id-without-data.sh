#!/usr/bin/env bash
# Version: eventsource 4.1.1, eventsource-client 1.2.0, launchdarkly-eventsource 2.2.0
# Guess: a block with an "id:" and no data moves the last event id on, so that a client connects again from there.
# Behaviour: all three connect again with the id of the last event that had data.
# Output: below, "seen": the Last-Event-ID of each connection.
# Why it matters: the HTML standard (9.2.6) sets the last event id before it looks whether there are data. A server that filters what it sends
# cannot move a client on over what it leaves out; after a long silence the client asks for all of it again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent eventsource@4.1.1 eventsource-client@1.2.0 launchdarkly-eventsource@2.2.0
cat >run.mjs <<'CODE'
import { createServer } from "node:http";
import { EventSource } from "eventsource";
import { createEventSource } from "eventsource-client";
import launchdarkly from "launchdarkly-eventsource";
const clients = {
  eventsource: (url) => new EventSource(url),
  "eventsource-client": (url) => createEventSource({ url }),
  "launchdarkly-eventsource": (url) => new launchdarkly.EventSource(url),
};
const answers = ["retry: 50\nid: 5\ndata: one\n\n", "retry: 50\nid: 6\n\n", "retry: 50\ndata: three\n\n"];
for (const [name, connect] of Object.entries(clients)) {
  const ids = [];
  const { promise: done, resolve } = Promise.withResolvers();
  const server = createServer((request, response) => {
    ids.push(request.headers["last-event-id"] ?? null);
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answers[ids.length - 1] ?? "");
    if (ids.length === 3) resolve();
  });
  await new Promise((open) => server.listen(0, "127.0.0.1", open));
  const client = connect(`http://127.0.0.1:${server.address().port}/`);
  client.onerror = () => undefined;
  await done;
  client.close();
  console.log(name, JSON.stringify(ids));
  server.closeAllConnections();
  server.close();
}
process.exit();
CODE
cat >expected <<'SEEN'
eventsource [null,"5","5"]
eventsource-client [null,"5","5"]
launchdarkly-eventsource [null,"5","5"]
SEEN
node run.mjs | tee seen
diff expected seen
