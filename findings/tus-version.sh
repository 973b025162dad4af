#!/usr/bin/env bash
# Version: @tus/server 2.4.5, @tus/file-store 2.1.1
# Guess: a client of another protocol version is told which ones the server speaks: 412 with Tus-Version, as tus 1.0 requires. Upload-Metadata
# takes any key without blanks and commas.
# Behaviour: another version is 400 with a text and without Tus-Version. A key that every JavaScript object has, such as "constructor", is 400 as
# if the header were malformed, while other words are taken.
# Output: below, "seen": status and Tus-Version of an OPTIONS request, of an upload with another version, and statuses by keys of the metadata.
# Why it matters: a client that speaks two versions looks at 412 to choose one, and takes 400 for a mistake of its own. Keys of metadata are
# often the names of fields that people chose, and one such name fails alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --ignore-scripts @tus/server@2.4.5 @tus/file-store@2.1.1
cat >check.mjs <<'JS'
import { createServer } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const tus = new Server({ path: '/files', datastore: new FileStore({ directory: './files' }) });
const server = createServer((request, response) => tus.handle(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = `http://127.0.0.1:${server.address().port}/files`;
const ask = async (method, headers) => {
  const { status, headers: answered } = await fetch(address, { method, headers });
  return `${status}, Tus-Version ${answered.get('tus-version') ?? 'none'}`;
};
const create = { 'Upload-Length': '4' };
console.log('OPTIONS:', await ask('OPTIONS', {}));
console.log('POST of version 0.2.2:', await ask('POST', { ...create, 'Tus-Resumable': '0.2.2' }));
for (const key of ['title', 'builder', 'constructor', 'toString']) {
  const { status } = await fetch(address, {
    method: 'POST',
    headers: { ...create, 'Tus-Resumable': '1.0.0', 'Upload-Metadata': `${key} ${btoa('Ada')}` },
  });
  console.log(`metadata ${key}: ${status}`);
}
server.closeAllConnections();
server.close();
JS
node check.mjs | tee seen
diff - seen <<'SEEN'
OPTIONS: 204, Tus-Version 1.0.0
POST of version 0.2.2: 400, Tus-Version none
metadata title: 201
metadata builder: 201
metadata constructor: 400
metadata toString: 400
SEEN
